package reporting

import (
	"context"
	"fmt"

	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/runtime/statement"
	"github.com/entwine-go/entwine/kit/viewer"
)

// PublicTotals count what is no secret: whom anybody can be told of, and what
// anybody can read.
type PublicTotals struct {
	Users, Posts, Products, Categories int64
}

var publicText = statement.Of(`
	SELECT
		(SELECT COUNT(*) FROM users WHERE deleted_at IS NULL),
		(SELECT COUNT(*) FROM posts WHERE deleted_at IS NULL AND published AND archived_at IS NULL),
		(SELECT COUNT(*) FROM products WHERE deleted_at IS NULL),
		(SELECT COUNT(*) FROM categories WHERE deleted_at IS NULL)`)

// Public returns the public totals, to an API key that may read them.
func (r *Reporter) Public(ctx context.Context) (t PublicTotals, err error) {
	if err := entity.APIKey.Rules.Check(viewer.From(ctx), "use_data"); err != nil {
		return t, err
	}
	if _, err := publicText.Row(ctx, r.DB, []any{&t.Users, &t.Posts, &t.Products, &t.Categories}); err != nil {
		return t, fmt.Errorf("count what is public: %w", err)
	}
	return t, nil
}
