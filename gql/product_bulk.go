package gql

import (
	"context"
	"fmt"
	"strings"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/gql/generated"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/gid"
	"github.com/entwine-go/entwine/kit/runtime/graph/door"
	"github.com/entwine-go/entwine/kit/viewer"
)

// maxProducts is how many products are made at once.
const maxProducts = 1000

// CreateProducts resolves createProducts: all in one statement, or none.
func (r *resolver) CreateProducts(ctx context.Context, input []*generated.CreateProductInput, key *string) ([]*generated.Product, error) {
	if err := entity.Product.Rules.Check(viewer.From(ctx), policy.Create); err != nil {
		return nil, err
	}
	if n := len(input); n < 1 || n > maxProducts {
		return nil, problem.Inputs(problem.Rulef("input", nil, "must be 1 to %d, not %d", maxProducts, n))
	}
	call := door.Call{Entity: entity.Product, Verb: policy.Create, Mutation: "createProducts", Key: key, Arguments: []any{input}}
	ids, err := r.OnceAll(ctx, call, func(ctx context.Context) ([]int64, error) {
		return r.insertProducts(ctx, input)
	})
	if err != nil {
		return nil, err
	}
	products := make([]*generated.Product, len(ids))
	for i, id := range ids {
		products[i] = &generated.Product{ID: gid.Encode(entity.Product.Name, id)}
	}
	return products, nil
}

// insertProducts makes the products and returns their ids.
func (r *resolver) insertProducts(ctx context.Context, input []*generated.CreateProductInput) (ids []int64, err error) {
	drafts, err := r.draftProducts(ctx, input)
	if err != nil {
		return nil, err
	}
	err = r.DB.InTx(ctx, func(ctx context.Context) error {
		made, err := r.Mutations.Client.Product.CreateBulk(drafts...).Save(ctx)
		for _, p := range made {
			ids = append(ids, int64(p.ID))
		}
		return err
	})
	if err != nil {
		return nil, door.Failed(entity.Product, err)
	}
	return ids, nil
}

// draftProducts judges all products before any is made.
func (r *resolver) draftProducts(ctx context.Context, input []*generated.CreateProductInput) ([]*ent.ProductCreate, error) {
	drafts := make([]*ent.ProductCreate, len(input))
	var bad []problem.Detail
	for i, in := range input {
		draft, form := r.DraftProduct(*in)
		drafts[i] = draft
		err := r.CheckCreate(ctx, entity.Product, form, draft.Mutation())
		p := problem.As(err)
		if err != nil && (p == nil || len(p.Details) == 0) {
			return nil, err
		}
		if p != nil {
			for _, d := range p.Details {
				d.Field = fmt.Sprintf("input[%d].%s", i, strings.TrimPrefix(d.Field, "input."))
				bad = append(bad, d)
			}
		}
	}
	return drafts, problem.Inputs(bad...)
}
