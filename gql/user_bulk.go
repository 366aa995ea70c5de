package gql

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/entwine-go/entwine/gql/generated"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/gid"
	"github.com/entwine-go/entwine/kit/runtime/graph/failure"
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/runtime/requestid"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// CreateUsers resolves createUsers: all in one transaction, each in a savepoint.
func (r *resolver) CreateUsers(ctx context.Context, input []*generated.CreateUserInput) ([]*generated.UserResult, error) {
	if err := mayAll(ctx, policy.Create, "input", len(input)); err != nil {
		return nil, err
	}
	hashes, bad := r.judgeUsers(ctx, input)
	results := make([]*generated.UserResult, len(input))
	err := r.DB.InTx(ctx, func(ctx context.Context) error {
		for i, in := range input {
			id, err := int64(0), bad[i]
			if err == nil {
				id, err = r.insertUser(ctx, *in, hashes[i])
			}
			results[i] = r.resultOf(ctx, http.StatusCreated, "input.", fmt.Sprintf("input[%d].", i), err)
			if err == nil {
				results[i].User = &generated.User{ID: gid.Encode(entity.User.Name, id)}
			}
		}
		return nil
	})
	return results, err
}

// judgeUsers judges and hashes on all processors.
func (r *resolver) judgeUsers(ctx context.Context, input []*generated.CreateUserInput) (hashes []string, bad []error) {
	hashes, bad = make([]string, len(input)), make([]error, len(input))
	var all errgroup.Group
	all.SetLimit(runtime.GOMAXPROCS(0))
	for i, in := range input {
		all.Go(func() error {
			hashes[i], bad[i] = r.judgeUser(ctx, *in)
			return nil
		})
	}
	_ = all.Wait() // each error is its user's
	return hashes, bad
}

// DeleteUsers resolves deleteUsers: all in one transaction, each in a savepoint.
func (r *resolver) DeleteUsers(ctx context.Context, ids []string, hard *bool) ([]*generated.UserResult, error) {
	verb := policy.Delete
	if hard != nil && *hard {
		verb = policy.Remove
	}
	if err := mayAll(ctx, verb, "ids", len(ids)); err != nil {
		return nil, err
	}
	results := make([]*generated.UserResult, len(ids))
	err := r.DB.InTx(ctx, func(ctx context.Context) error {
		for i, id := range ids {
			err := r.DB.InTx(ctx, func(ctx context.Context) error {
				_, err := r.DeleteUser(ctx, id, nil, hard)
				return err
			})
			results[i] = r.resultOf(ctx, http.StatusNoContent, "id", fmt.Sprintf("ids[%d]", i), err)
		}
		return nil
	})
	return results, err
}

// mayAll refuses callers who may do this to no user at all, and too many at once.
func mayAll(ctx context.Context, verb, argument string, n int) error {
	if err := entity.User.Rules.Check(viewer.From(ctx), verb); err != nil {
		return err
	}
	if n < 1 || n > reading.MaxLimit {
		return problem.Inputs(problem.Rulef(argument, nil, "must be 1 to %d, not %d", reading.MaxLimit, n))
	}
	return nil
}

// resultOf is what became of an item: done, unless there is an error, whose
// inputs get the place that they have among the others. What a client may not
// read is logged.
func (r *resolver) resultOf(ctx context.Context, done int, from, to string, err error) *generated.UserResult {
	if err == nil {
		return &generated.UserResult{Status: done}
	}
	p := problem.As(store.Problem(err))
	if p == nil || p.Kind == problem.Internal {
		r.Logger.ErrorContext(ctx, "item failed", "item", to, "err", err, "request_id", requestid.From(ctx))
		p = problem.New(problem.Internal, "internal error")
	}
	c := p.Kind.Answer()
	refused := &generated.ItemError{Code: c.GraphQL, Message: p.Message, Fields: make([]*generated.FailingInput, len(p.Details))}
	for i, d := range failure.Inputs(p.Details) {
		if rest, ok := strings.CutPrefix(d.Field, from); ok {
			d.Field = to + rest
		}
		refused.Fields[i] = &generated.FailingInput{Field: d.Field, Message: d.Message, Value: d.Value}
	}
	return &generated.UserResult{Status: c.Status, Error: refused}
}
