package rest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/idempotency"
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/runtime/resource/door"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/rest/oas/server"
)

// productGuards are the guards of the operations in products.yaml.
var productGuards = map[string]door.Guard{
	"createProducts": {Entity: entity.Product, Verb: policy.Create},
}

// CreateProducts makes many products, all or none: POST /products/bulk.
func (o *operations) CreateProducts(ctx context.Context, req *server.CreateProductsReq, w http.ResponseWriter) error {
	drafts, err := o.draftProducts(ctx, req.Products)
	if err != nil {
		return err
	}
	var body []byte
	x := door.From(ctx)
	err = o.DB.InTx(ctx, func(ctx context.Context) error {
		made, err := o.Products.Client.Product.CreateBulk(drafts...).Save(ctx)
		if err != nil {
			return err
		}
		ids := make([]int64, len(made))
		for i, p := range made {
			ids[i] = int64(p.ID)
		}
		if x.Outcome.Body, err = json.Marshal(ids); err != nil {
			return err
		}
		body, err = o.showProducts(ctx, ids)
		return err
	})
	if err != nil {
		return door.Failed(entity.Product, err)
	}
	return x.Answer(w, door.Answer{Status: http.StatusCreated, Body: body})
}

// showProducts is the answer with products that were made: null for those that
// are there no more.
func (o *operations) showProducts(ctx context.Context, ids []int64) ([]byte, error) {
	body := strconv.AppendInt([]byte(`{"status":"success","count":`), int64(len(ids)), 10)
	body, _, err := o.door.Reader.Nodes(ctx, append(body, `,"data":`...), reading.Whole(entity.Product, viewer.From(ctx)), ids)
	return append(body, '}'), err
}

// productsAgain answers a repetition of CreateProducts with the products as
// they are now.
func (o *operations) productsAgain(ctx context.Context, w http.ResponseWriter, kept idempotency.Outcome) error {
	var ids []int64
	if err := json.Unmarshal(kept.Body, &ids); err != nil {
		return idempotency.Forgotten()
	}
	body, err := o.showProducts(ctx, ids)
	if err != nil {
		return err
	}
	return door.From(ctx).Answer(w, door.Answer{Status: kept.Status, Body: body})
}

// draftProducts judges all products before any is made.
func (o *operations) draftProducts(ctx context.Context, products []server.ProductCreate) ([]*ent.ProductCreate, error) {
	drafts := make([]*ent.ProductCreate, len(products))
	var bad []problem.Detail
	for i := range products {
		draft, form := o.Products.Draft(ctx, &products[i])
		drafts[i] = draft
		err := form.Err(ctx, o.door.Reader)
		p := problem.As(err)
		if err != nil && (p == nil || len(p.Details) == 0) {
			return nil, err
		}
		if p != nil {
			for _, d := range p.Details {
				d.Field = fmt.Sprintf("products[%d].%s", i, d.Field)
				bad = append(bad, d)
			}
		}
	}
	return drafts, problem.Inputs(bad...)
}
