package reporting

import (
	"context"
	"fmt"

	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/write"
	"github.com/entwine-go/entwine/schema"
)

var publicText = statement.Of(`
	SELECT
		(SELECT COUNT(*) FROM users WHERE deleted_at IS NULL),
		(SELECT COUNT(*) FROM posts WHERE deleted_at IS NULL AND published AND archived_at IS NULL),
		(SELECT COUNT(*) FROM products WHERE deleted_at IS NULL),
		(SELECT COUNT(*) FROM categories WHERE deleted_at IS NULL)`)

// Data is the method behind the action of schema.APIKey that reads them.
type Data struct{ *Reporter }

// UseData answers an API key with whose it is, and what everybody can see.
func (d Data) UseData(ctx context.Context) (write.Result, error) {
	totals, err := d.Public(ctx)
	if err != nil {
		return write.Result{}, err
	}
	v := viewer.From(ctx)
	data := schema.PublicData{Client: v.Client, Permissions: []schema.Permission{}, Data: totals}
	for _, p := range v.Permissions {
		data.Permissions = append(data.Permissions, schema.Permission(p))
	}
	return write.Result{Members: data}, nil
}

// Public returns the public totals.
func (r *Reporter) Public(ctx context.Context) (t schema.PublicTotals, err error) {
	if _, err := publicText.Row(ctx, r.DB, []any{&t.Users, &t.Posts, &t.Products, &t.Categories}); err != nil {
		return t, fmt.Errorf("count what is public: %w", err)
	}
	return t, nil
}
