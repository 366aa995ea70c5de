package social

import (
	"context"
	"fmt"

	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/entity"
)

// Share notes that the viewer passed the post on, or the user whom an admin
// names (0 for nobody), and returns how often it was shared by now.
func (c *Circle) Share(ctx context.Context, id, user int64) (n int64, err error) {
	err = c.DB.InTx(ctx, func(ctx context.Context) error {
		if user, err = c.actor(ctx, "user_id", user); err != nil {
			return err
		}
		if err := c.seen(ctx, entity.Post, id); err != nil {
			return err
		}
		_, err = c.add(ctx, entity.Post, orm.Client(c.DB).Share.Create().
			SetPostID(typedid.PostID(id)).SetUserID(typedid.UserID(user)).Exec)
		if err != nil {
			return fmt.Errorf("share post %d: %w", id, err)
		}
		n, err = shares.of(ctx, c.DB, id)
		return err
	})
	return n, err
}
