package write

import (
	"context"
	"fmt"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

// CreateMany makes many rows: each for itself, in a savepoint, or all or none in
// one statement. Each item says by At where it stands.
func (e *Engine) CreateMany(ctx context.Context, c Call, items []Input, each bool) ([]Outcome, error) {
	if err := c.Entity.Rules.Check(viewer.From(ctx), policy.Create); err != nil {
		return nil, err
	}
	forms := make([]*form, len(items))
	for i := range items {
		forms[i] = e.form(ctx, &c, &items[i], form{making: true})
		forms[i].judgeNew()
	}
	if each {
		return e.createEach(ctx, &c, forms)
	}
	return e.createAll(ctx, &c, forms)
}

// createAll makes all rows, or none.
func (e *Engine) createAll(ctx context.Context, c *Call, forms []*form) ([]Outcome, error) {
	if err := e.claim(ctx, forms...); err != nil || len(forms) == 0 {
		return nil, err
	}
	if e.Around[c.Entity.Name] != nil {
		return e.writeEach(ctx, c, forms, make([]error, len(forms)), false)
	}
	outcomes := make([]Outcome, len(forms))
	err := e.DB.InTx(ctx, func(ctx context.Context) error {
		rows, err := e.insertAll(ctx, forms)
		if err != nil {
			return err
		}
		for i, row := range rows {
			outcomes[i].Row = row
		}
		if err := e.attachNew(ctx, forms, rows); err != nil {
			return err
		}
		return c.readAll(ctx, outcomes)
	})
	if err != nil { // of one of them: which is not known
		return nil, refused(c.Entity, &Input{API: forms[0].in.API}, err)
	}
	return outcomes, nil
}

// createEach makes each row in a savepoint.
func (e *Engine) createEach(ctx context.Context, c *Call, forms []*form) ([]Outcome, error) {
	if err := idempotency.Claim(ctx); err != nil {
		return nil, err
	}
	crowded(forms)
	bad := make([]error, len(forms))
	for i, f := range forms {
		bad[i] = e.settle(ctx, f)
	}
	return e.writeEach(ctx, c, forms, bad, true)
}

// writeEach writes each row among what its activity does, in a transaction: in a
// savepoint where the others are kept without it.
func (e *Engine) writeEach(ctx context.Context, c *Call, forms []*form, bad []error, apart bool) (outcomes []Outcome, err error) {
	wrappers := e.prepareAll(ctx, forms, bad)
	err = e.DB.InTx(ctx, func(ctx context.Context) error {
		outcomes = make([]Outcome, len(forms))
		for i, f := range forms {
			err := bad[i]
			if err == nil {
				err = e.transact(ctx, apart, func(ctx context.Context) (err error) {
					outcomes[i].Row, err = wrappers[i].write(ctx, func(ctx context.Context) (Row, error) { return e.insert(ctx, f) })
					return err
				})
			}
			outcomes[i].Err = f.refused(err)
			if err != nil && !apart {
				return outcomes[i].Err
			}
		}
		return c.readAll(ctx, outcomes)
	})
	if err != nil {
		return nil, err
	}
	return outcomes, nil
}

// prepareAll prepares what takes long on all processors.
func (e *Engine) prepareAll(ctx context.Context, forms []*form, bad []error) []wrapper {
	wrappers := make([]wrapper, len(forms))
	var all errgroup.Group
	all.SetLimit(runtime.GOMAXPROCS(0))
	for i, f := range forms {
		if bad[i] != nil {
			continue
		}
		all.Go(func() error {
			var err error
			wrappers[i], err = e.prepare(ctx, f, gid.ID{}, policy.Create)
			bad[i] = f.refused(err)
			return nil
		})
	}
	_ = all.Wait() // each error is its row's
	return wrappers
}

// readAll has the caller read the rows.
func (c *Call) readAll(ctx context.Context, outcomes []Outcome) error {
	if c.ReadAll == nil {
		return nil
	}
	return c.ReadAll(ctx, outcomes)
}

// Most returns an error for a list with too many items.
func Most(list string, n, maximum int) *problem.Detail {
	d := problem.Detail{Field: list, Unprocessable: true}
	switch {
	case n < 1:
		d.Message = "must be at least 1 item, not 0"
	case n > maximum:
		d.Message = fmt.Sprintf("must be at most %s, not %d", expose.Span(maximum, maximum, "items"), n)
	default:
		return nil
	}
	return &d
}

// ID reads the id of a row of the entity at a place of the input.
func (in *Input) ID(e *Entity, place string, value any) (gid.ID, error) {
	id, err := in.ParseID(e.IDs(), value)
	switch {
	case value == nil:
		return gid.ID{}, problem.Inputs(problem.Invalidf(place, nil, "is required"))
	case err != nil:
		return gid.ID{}, problem.Inputs(problem.Invalidf(place, value, "%v", err))
	case !id.IsText() && id.Int() < 1:
		return gid.ID{}, problem.Inputs(problem.Invalidf(place, value, "must be at least 1"))
	}
	return id, nil
}

// Item is one of many changes: a row by its id, and what changes of it.
type Item struct {
	ID any
	// At is where the id stands in the input, for messages.
	At     string
	Input  Input
	Expect Expect
}

// UpdateMany changes many rows, each for itself, in a savepoint.
func (e *Engine) UpdateMany(ctx context.Context, c Call, items []Item) ([]Outcome, error) {
	return e.eachRow(ctx, &c, policy.Update, items, func(ctx context.Context, one *Call) error {
		_, err := e.Update(ctx, *one, false)
		return err
	})
}

// ActMany carries out an action without input for many rows, each for itself, in a savepoint.
func (e *Engine) ActMany(ctx context.Context, c Call, a *Action, items []Item) ([]Outcome, error) {
	return e.eachRow(ctx, &c, a.Verb, items, func(ctx context.Context, one *Call) error {
		_, err := e.Act(ctx, *one, a)
		return err
	})
}

// DeleteMany deletes many rows, each for itself, in a savepoint.
func (e *Engine) DeleteMany(ctx context.Context, c Call, items []Item, hard bool) ([]Outcome, error) {
	verb := deleting(c.Entity, hard)
	return e.eachRow(ctx, &c, verb, items, func(ctx context.Context, one *Call) error {
		return refused(one.Entity, &one.Input, e.delete(ctx, one, verb))
	})
}

// eachRow does the same to the row of each item, in a savepoint of one transaction.
func (e *Engine) eachRow(ctx context.Context, c *Call, verb string, items []Item, do func(context.Context, *Call) error) (outcomes []Outcome, err error) {
	if err := c.Entity.Rules.Check(viewer.From(ctx), verb); err != nil {
		return nil, err
	}
	if err := idempotency.Claim(ctx); err != nil {
		return nil, err
	}
	err = e.DB.InTx(ctx, func(ctx context.Context) error {
		outcomes = make([]Outcome, len(items))
		for i, item := range items {
			id, bad := item.Input.ID(c.Entity, item.At, item.ID)
			if bad != nil {
				outcomes[i].Err = bad
				continue
			}
			one := *c
			one.ID, one.Input, one.Expect, one.Read = id, item.Input, item.Expect, nil
			outcomes[i].Row.ID = id
			outcomes[i].Err = e.DB.InTx(ctx, func(ctx context.Context) error { return do(ctx, &one) })
		}
		return c.readAll(ctx, outcomes)
	})
	return outcomes, err
}
