package door

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/idempotency"
	"github.com/entwine-go/entwine/kit/viewer"
)

// A mutation that must not happen twice takes an idempotencyKey: the header
// speaks of a request, which may hold any number of mutations.

// Keyed returns a context with the ticket of an idempotencyKey, if there is
// one: the same key, mutation and arguments are the same request.
func (d *Door) Keyed(ctx context.Context, key *string, mutation string, arguments ...any) (context.Context, error) {
	if key == nil {
		return ctx, nil
	}
	request, err := keyedRequest(ctx, *key, mutation, arguments)
	if err != nil {
		return nil, err
	}
	keeper := &idempotency.Keeper{DB: d.DB}
	return keeper.With(ctx, request), nil
}

// Once makes or changes a row in one transaction with the record of its
// idempotencyKey, if there is one, and returns its id. A repetition returns
// the id of the row that is there. What fails is not kept.
func (d *Door) Once(ctx context.Context, key *string, mutation string, arguments []any, write func(context.Context) (int64, error)) (int64, error) {
	ids, err := d.OnceAll(ctx, key, mutation, arguments, func(ctx context.Context) ([]int64, error) {
		id, err := write(ctx)
		return []int64{id}, err
	})
	if err != nil {
		return 0, err
	}
	if len(ids) != 1 {
		return 0, fmt.Errorf("read what %s wrote: %d ids, not 1", mutation, len(ids))
	}
	return ids[0], nil
}

// OnceAll is Once for any number of rows.
func (d *Door) OnceAll(ctx context.Context, key *string, mutation string, arguments []any, write func(context.Context) ([]int64, error)) ([]int64, error) {
	if key == nil {
		return write(ctx)
	}
	request, err := keyedRequest(ctx, *key, mutation, arguments)
	if err != nil {
		return nil, err
	}
	var failure error
	keeper := &idempotency.Keeper{DB: d.DB}
	answer, err := keeper.Run(ctx, request, func(ctx context.Context) (idempotency.Answer, error) {
		ids, err := write(ctx)
		if failure = err; err != nil {
			return idempotency.Answer{Status: http.StatusInternalServerError}, err
		}
		body, err := json.Marshal(ids)
		return idempotency.Answer{Status: http.StatusCreated, Body: body}, err
	})
	if err == nil {
		err = failure
	}
	if err != nil {
		return nil, err
	}
	var ids []int64
	if err := json.Unmarshal(answer.Body, &ids); err != nil {
		return nil, fmt.Errorf("read what %s wrote: %w", mutation, err)
	}
	return ids, nil
}

func keyedRequest(ctx context.Context, key, mutation string, arguments []any) (idempotency.Request, error) {
	parsed, err := idempotency.ParseKey([]string{key})
	if err != nil {
		return idempotency.Request{}, problem.Retold(err, func(d problem.Detail) problem.Detail {
			d.Field = "idempotencyKey"
			return d
		})
	}
	body, err := json.Marshal(arguments)
	if err != nil {
		return idempotency.Request{}, fmt.Errorf("read the arguments of %s: %w", mutation, err)
	}
	return idempotency.NewRequest(parsed, viewer.From(ctx), "mutation "+mutation, "", nil, body), nil
}
