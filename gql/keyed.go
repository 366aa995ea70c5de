package gql

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"github.com/entwine-go/entwine/internal/idempotency"
	"github.com/entwine-go/entwine/internal/viewer"
)

// A mutation that must not happen twice takes an idempotencyKey: the header
// speaks of a request, which may hold any number of mutations.

// keyed returns a context with the ticket of an idempotencyKey, if there is
// one: the same key, mutation and arguments are the same request.
func (r *resolver) keyed(ctx context.Context, key *string, mutation string, arguments ...any) (context.Context, error) {
	if key == nil {
		return ctx, nil
	}
	request, err := keyedRequest(ctx, *key, mutation, arguments)
	if err != nil {
		return nil, err
	}
	keeper := &idempotency.Keeper{DB: r.DB}
	return keeper.With(ctx, request), nil
}

// once creates a row in one transaction with the record of its
// idempotencyKey, if there is one, and returns its id. A repetition returns
// the id of the row that is there. What fails is not kept.
func (r *resolver) once(ctx context.Context, key *string, mutation string, arguments []any, create func(context.Context) (int64, error)) (int64, error) {
	if key == nil {
		return create(ctx)
	}
	request, err := keyedRequest(ctx, *key, mutation, arguments)
	if err != nil {
		return 0, err
	}
	var failure error
	keeper := &idempotency.Keeper{DB: r.DB}
	answer, err := keeper.Run(ctx, request, func(ctx context.Context) (idempotency.Answer, error) {
		id, err := create(ctx)
		if failure = err; err != nil {
			return idempotency.Answer{Status: http.StatusInternalServerError}, err
		}
		return idempotency.Answer{Status: http.StatusCreated, Body: strconv.AppendInt(nil, id, 10)}, nil
	})
	if err == nil {
		err = failure
	}
	if err != nil {
		return 0, err
	}
	id, err := strconv.ParseInt(string(answer.Body), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("read what %s created: %w", mutation, err)
	}
	return id, nil
}

func keyedRequest(ctx context.Context, key, mutation string, arguments []any) (idempotency.Request, error) {
	parsed, err := idempotency.ParseKey([]string{key})
	if err != nil {
		return idempotency.Request{}, renamed(err, map[string]string{idempotency.Header: "idempotencyKey"})
	}
	body, err := json.Marshal(arguments)
	if err != nil {
		return idempotency.Request{}, fmt.Errorf("read the arguments of %s: %w", mutation, err)
	}
	return idempotency.NewRequest(parsed, viewer.From(ctx), "mutation "+mutation, "", nil, body), nil
}
