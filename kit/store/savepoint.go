package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// point is a savepoint that is open. A transaction has a stack of them.
type point struct {
	name       string
	registered int       // len(tx.after) when it was set
	client     *clientTx // whose it is, nil for InTx
}

// ending runs at the end of a transaction, with its outcome.
type ending struct {
	kept   func(context.Context)
	undone func(error) // nil: nothing is done then
}

// push sets a savepoint.
func (t *tx) push(ctx context.Context) (*point, error) {
	if t.broken != nil {
		return nil, t.refuse()
	}
	p := &point{name: "s" + strconv.Itoa(len(t.points)+1), registered: len(t.after)}
	if err := t.control(ctx, "SAVEPOINT "+p.name); err != nil {
		return nil, fmt.Errorf("savepoint: %w", err)
	}
	t.points = append(t.points, p)
	return p, nil
}

// pop takes the savepoint, and those of Ent's client above it, off the stack. It
// reports errInner where one of InTx is above.
func (t *tx) pop(p *point) error {
	i := slices.Index(t.points, p)
	if i < 0 {
		return sql.ErrTxDone
	}
	if slices.ContainsFunc(t.points[i+1:], func(above *point) bool { return above.client == nil }) {
		return errInner
	}
	for _, gone := range t.points[i:] {
		if gone.client != nil {
			gone.client.ended = true
		}
	}
	t.points = t.points[:i]
	return nil
}

// leftOpen is an error where Ent's client has left a savepoint open above the depth.
func (t *tx) leftOpen(depth int) error {
	if len(t.points) > depth {
		return errLeftOpen
	}
	return nil
}

// keep releases the savepoint, or undoes it where it can't be kept.
func (t *tx) keep(ctx context.Context, p *point) error {
	if t.broken != nil {
		return errors.Join(t.broken, t.back(ctx, p))
	}
	if err := t.pop(p); err != nil {
		return err
	}
	if err := t.control(ctx, "RELEASE SAVEPOINT "+p.name); err != nil {
		t.broken = fmt.Errorf("release savepoint: %w", err)
		return t.broken
	}
	return nil
}

// back undoes what was done since the savepoint, also for a caller that is gone.
func (t *tx) back(ctx context.Context, p *point) error {
	if err := t.pop(p); err != nil {
		return err
	}
	t.broken = nil
	ctx = outliving(ctx)
	for _, text := range []string{"ROLLBACK TO SAVEPOINT " + p.name, "RELEASE SAVEPOINT " + p.name} {
		if err := t.control(ctx, text); err != nil {
			t.broken = fmt.Errorf("undo savepoint: %w", err)
			break
		}
	}
	t.drop(p.registered, errGoneBack)
	return t.broken
}

// drop forgets what was registered since, which was undone.
func (t *tx) drop(registered int, err error) {
	gone := slices.Clone(t.after[registered:])
	t.after = t.after[:registered]
	for _, e := range gone {
		if e.undone != nil {
			e.undone(err)
		}
	}
}

// conclude does what was to be done after the commit. Hooks of Ent's client hold the
// transaction's context: what they do with it is outside of the transaction.
func (t *tx) conclude(ctx context.Context) {
	t.over = true
	defer func() { t.over = false }()
	for _, e := range t.after {
		e.kept(context.WithoutCancel(ctx))
	}
}
