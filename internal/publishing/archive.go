package publishing

import (
	"context"
	"fmt"
	"time"

	"github.com/entwine-go/entwine/ent/post"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/runtime/store"
)

// Archive hides a post, a draft too, from all but its author, editors and admins.
func (p *Publisher) Archive(ctx context.Context, id int64) error {
	return p.DB.InTx(ctx, func(ctx context.Context) error {
		n, err := p.change(id).Where(post.ArchivedAtIsNil()).SetArchivedAt(store.Time(time.Now())).Save(policy.As(ctx, policy.Archive))
		if err != nil {
			return store.Problem(fmt.Errorf("archive post %d: %w", id, err))
		}
		if n == 0 {
			return p.why(ctx, id, policy.Archive, "the post is archived already; allowed: "+policy.Publish)
		}
		return nil
	})
}
