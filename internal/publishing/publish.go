package publishing

import (
	"context"
	"fmt"

	"github.com/entwine-go/entwine/ent/post"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/runtime/store"
)

// Publish makes a draft visible, or an archived post again. One that had been
// published before keeps the time of that, and so its place in feeds.
func (p *Publisher) Publish(ctx context.Context, id int64) error {
	return p.DB.InTx(ctx, func(ctx context.Context) error {
		as := policy.As(ctx, policy.Publish)
		// A hook stamps published_at where published is written.
		n, err := p.change(id).Where(post.Published(false)).SetPublished(true).ClearArchivedAt().Save(as)
		if err == nil && n == 0 {
			n, err = p.change(id).Where(post.ArchivedAtNotNil()).ClearArchivedAt().Save(as)
		}
		if err != nil {
			return store.Problem(fmt.Errorf("publish post %d: %w", id, err))
		}
		if n == 0 {
			return p.why(ctx, id, policy.Publish, "the post is published already; allowed: "+policy.Archive)
		}
		return nil
	})
}
