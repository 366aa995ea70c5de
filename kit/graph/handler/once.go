package handler

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/graph/execute"
	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Call is a mutation that must not happen twice, where it has an idempotencyKey:
// the same caller, key, mutation and arguments are the same request. Its record
// has the id of the row in the answer. A repetition reads the selection of that
// row anew.
type Call struct {
	*entity.Entity
	// Verb is the verb of the policy: callers who may use it on no row are refused,
	// whatever rights they had before.
	Verb, Mutation string
	// Key is the idempotencyKey, nil where there is none.
	Key *string
	// Arguments are the client's arguments.
	Arguments []any
}

// outcome is the outcome of a call.
type outcome = idempotency.Outcome

// once makes or changes a row in one transaction with the record of the call,
// and returns its id. A repetition returns the id of the row that is there, if
// the caller can read it.
func (d *Door) once(ctx context.Context, c Call, write func(context.Context) (gid.ID, error)) (gid.ID, error) {
	o, err := d.keep(ctx, c, func(ctx context.Context) (o outcome, err error) {
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
func (d *Door) onceAll(ctx context.Context, c Call, write func(context.Context) ([]gid.ID, error)) (ids []gid.ID, err error) {
	o, err := d.keep(ctx, c, func(ctx context.Context) (o outcome, err error) {
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
func (d *Door) readable(ctx context.Context, e *entity.Entity, ids []gid.ID) ([]gid.ID, error) {
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
	var there []gid.ID
	for i, row := range rows {
		if row != nil {
			there = append(there, ids[i])
		}
	}
	return there, nil
}

// attempt carries a call out.
type attempt func(context.Context) (outcome, error)

// keep carries the call out in one transaction, unless that has been done
// before. The engine claims the key once it has judged the input.
func (d *Door) keep(ctx context.Context, c Call, write attempt) (outcome, error) {
	return d.keepAs(ctx, c, false, write)
}

// keepAs is keep; a split operation opens its own transactions.
func (d *Door) keepAs(ctx context.Context, c Call, split bool, write attempt) (outcome, error) {
	v := viewer.From(ctx)
	if c.Verb != "" {
		if err := c.Rules.Check(v, c.Verb); err != nil {
			return outcome{}, err
		}
	}
	key, err := c.key(v)
	if err != nil {
		return outcome{}, err
	}
	if key == "" {
		return write(ctx)
	}
	body, err := json.Marshal(c.Arguments)
	if err != nil {
		return outcome{}, fmt.Errorf("read the arguments of %s: %w", c.Mutation, err)
	}
	request := idempotency.NewRequest(key, v, "mutation "+c.Mutation, "", nil, body)
	o, err := d.Keeper.Once(ctx, request, split, func(ctx context.Context) (outcome, error) {
		return d.attempt(ctx, split, write)
	})
	if o.Replayed {
		execute.Replay(ctx)
	}
	if err == nil {
		err = o.Failure
	}
	return o, err
}

// attempt carries a call out that has a key. In a transaction it has a
// savepoint, so that its failure can be kept.
func (d *Door) attempt(ctx context.Context, split bool, write attempt) (o outcome, err error) {
	if split {
		o, err = write(ctx)
	} else {
		err = d.DB.InTx(ctx, func(ctx context.Context) error {
			o, err = write(ctx)
			return err
		})
	}
	if err != nil {
		return outcome{Status: http.StatusConflict, Refused: problem.As(store.Problem(err))}, err
	}
	if o.Status == 0 {
		o.Status = http.StatusOK
	}
	return o, nil
}

// key is the call's key, empty where it has none.
func (c Call) key(v *viewer.Viewer) (string, error) {
	if c.Key == nil {
		return "", nil
	}
	key, err := idempotency.KeyOf(v, []string{*c.Key})
	if err != nil {
		return "", problem.Retold(err, func(d problem.Detail) problem.Detail {
			d.Field = "idempotencyKey"
			return d
		})
	}
	return key, nil
}
