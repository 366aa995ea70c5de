package writing

import (
	"context"
	"errors"
)

// errUnbuilt is what the engine says until it is built.
var errUnbuilt = errors.New("writing: not built yet")

// Create makes a row.
func (e *Engine) Create(ctx context.Context, c Call) (Row, error) { return Row{}, errUnbuilt }

// Update changes what the input names of a row, or replaces it: what is not named
// returns to its default then.
func (e *Engine) Update(ctx context.Context, c Call, replace bool) (Row, error) {
	return Row{}, errUnbuilt
}

// Put is [Engine.Update] of the one row that Call.Fixed admits, which is made where
// there is none: Row.Made says so.
func (e *Engine) Put(ctx context.Context, c Call, replace bool) (Row, error) {
	return Row{}, errUnbuilt
}

// Delete deletes a row. Where deleted rows stay, hard removes it all the same.
func (e *Engine) Delete(ctx context.Context, c Call, hard bool) error { return errUnbuilt }

// Restore brings a deleted row back.
func (e *Engine) Restore(ctx context.Context, c Call) (Row, error) { return Row{}, errUnbuilt }

// CreateMany makes many rows: each for itself, or all or none.
func (e *Engine) CreateMany(ctx context.Context, c Call, items []Input, each bool) ([]Outcome, error) {
	return nil, errUnbuilt
}

// DeleteMany deletes many rows, each for itself.
func (e *Engine) DeleteMany(ctx context.Context, c Call, ids []int64, hard bool) ([]Outcome, error) {
	return nil, errUnbuilt
}

// Act carries out an action.
func (e *Engine) Act(ctx context.Context, c Call, a *Action) (Result, error) {
	return Result{}, errUnbuilt
}
