package handler

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/entwine-go/entwine/kit/graph/execute"
	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Call is a mutation that must not happen twice, where it has an
// idempotencyKey: the same caller, key, mutation and arguments are the same
// request. What is kept of it is the row that it is answered with, whose
// selection is read for each repetition as for the first call.
type Call struct {
	*read.Entity
	// Verb is what the policy calls what is done to the entity: callers who may
	// do it to no row are refused, whatever they could before.
	Verb, Mutation string
	// Key is the idempotencyKey, nil where there is none.
	Key *string
	// Arguments are what the client has sent.
	Arguments []any
}

// outcome is what becomes of a call.
type outcome = idempotency.Outcome

// once makes or changes a row in one transaction with the record of the call,
// and returns its id. A repetition returns the id of the row that is there, if
// the caller can read it.
func (d *Door) once(ctx context.Context, c Call, write func(context.Context) (int64, error)) (int64, error) {
	o, err := d.keep(ctx, c, d.judged, func(ctx context.Context) (o outcome, err error) {
		o.Row.Entity = c.Name
		o.Row.ID, err = write(ctx)
		return o, err
	})
	if err != nil || !o.Replayed {
		return o.Row.ID, err
	}
	readable, err := d.Reader.Readable(ctx, c.Entity, o.Row.ID)
	if err == nil && !readable {
		err = read.NotFound(c.Entity)
	}
	return o.Row.ID, err
}

// onceAll is once for any number of rows. A repetition returns those that the
// caller can read.
func (d *Door) onceAll(ctx context.Context, c Call, write func(context.Context) ([]int64, error)) (ids []int64, err error) {
	o, err := d.keep(ctx, c, d.judged, func(ctx context.Context) (o outcome, err error) {
		if ids, err = write(ctx); err != nil {
			return o, err
		}
		o.Body, err = json.Marshal(ids)
		return o, err
	})
	if err != nil || !o.Replayed {
		return ids, err
	}
	if err := json.Unmarshal(o.Body, &ids); err != nil {
		return nil, fmt.Errorf("read what %s made: %w", c.Mutation, err)
	}
	return d.readable(ctx, c.Entity, ids)
}

// readable are the rows that the caller can read.
func (d *Door) readable(ctx context.Context, e *read.Entity, ids []int64) ([]int64, error) {
	s := read.Select(e)
	s.Field("id", e.ID())
	text, _, err := d.Reader.Nodes(ctx, nil, s, ids)
	if err != nil {
		return nil, err
	}
	var rows []*json.RawMessage
	if err := json.Unmarshal(text, &rows); err != nil {
		return nil, fmt.Errorf("read which %s are there: %w", e.Path, err)
	}
	var there []int64
	for i, row := range rows {
		if row != nil {
			there = append(there, ids[i])
		}
	}
	return there, nil
}

// attempt carries a call out; keep is how a keeper runs it, in a transaction or
// not.
type (
	attempt func(context.Context) (outcome, error)
	keep    func(context.Context, idempotency.Request, func(context.Context) (outcome, error)) (outcome, error)
)

// judged keeps in one transaction: the attempt has a savepoint, so that its
// failure can be kept. The engine claims the key once it has judged the input.
func (d *Door) judged(ctx context.Context, r idempotency.Request, run func(context.Context) (outcome, error)) (outcome, error) {
	return d.Keeper.Run(ctx, r, func(ctx context.Context) (o outcome, err error) {
		err = d.DB.InTx(ctx, func(ctx context.Context) error {
			o, err = run(ctx)
			return err
		})
		return o, err
	})
}

// refused is the outcome of an attempt that failed.
func refused(err error) outcome {
	return outcome{Status: http.StatusConflict, Refused: problem.As(store.Problem(err))}
}

// keep carries the call out, unless that has been done before. What was
// refused then for good is refused again.
func (d *Door) keep(ctx context.Context, c Call, keep keep, write attempt) (outcome, error) {
	v := viewer.From(ctx)
	if c.Verb != "" {
		if err := c.Rules.Check(v, c.Verb); err != nil {
			return outcome{}, err
		}
	}
	if c.Key == nil || !v.Authenticated() {
		return write(ctx)
	}
	request, err := c.request(v)
	if err != nil {
		return outcome{}, err
	}
	var failure error
	outcome, err := keep(ctx, request, func(ctx context.Context) (outcome, error) {
		o, err := write(ctx)
		if failure = err; err != nil {
			return refused(err), err
		}
		o.Status = http.StatusOK
		return o, nil
	})
	if outcome.Replayed {
		execute.Replay(ctx)
	}
	switch {
	case err != nil:
		return outcome, err
	case !outcome.Replayed:
		return outcome, failure
	case outcome.Refused != nil:
		return outcome, outcome.Refused
	case outcome.Row.ID == 0 && len(outcome.Body) == 0:
		return outcome, idempotency.Forgotten()
	}
	return outcome, nil
}

func (c Call) request(v *viewer.Viewer) (idempotency.Request, error) {
	parsed, err := idempotency.ParseKey([]string{*c.Key})
	if err != nil {
		return idempotency.Request{}, problem.Retold(err, func(d problem.Detail) problem.Detail {
			d.Field = "idempotencyKey"
			return d
		})
	}
	body, err := json.Marshal(c.Arguments)
	if err != nil {
		return idempotency.Request{}, fmt.Errorf("read the arguments of %s: %w", c.Mutation, err)
	}
	return idempotency.NewRequest(parsed, v, "mutation "+c.Mutation, "", nil, body), nil
}
