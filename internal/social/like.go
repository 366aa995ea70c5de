package social

import (
	"context"
	"fmt"

	"github.com/entwine-go/entwine/ent/like"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Liking is what a post has come to by being liked.
type Liking struct {
	// First is set where the user had not liked the post before.
	First bool
	// Likes is how many users like the post.
	Likes int64
}

// Like has the viewer like the post, or the user whom an admin names: 0 for nobody.
func (c *Circle) Like(ctx context.Context, id, user int64) (l Liking, err error) {
	err = c.DB.InTx(ctx, func(ctx context.Context) error {
		if user, err = c.actor(ctx, "user_id", user); err != nil {
			return err
		}
		if err := c.seen(ctx, entity.Post, id); err != nil {
			return err
		}
		l.First, err = c.add(ctx, entity.Post, orm.Client(c.DB).Like.Create().
			SetPostID(typedid.PostID(id)).SetUserID(typedid.UserID(user)).Exec)
		if err != nil {
			return fmt.Errorf("like post %d: %w", id, err)
		}
		l.Likes, err = likes.of(ctx, c.DB, id)
		return err
	})
	return l, err
}

// Unlike takes the viewer's liking of the post back. Where there was none the
// post must be one that they can read.
func (c *Circle) Unlike(ctx context.Context, id int64) error {
	n, err := orm.Client(c.DB).Like.Delete().
		Where(like.PostID(typedid.PostID(id)), like.UserID(typedid.UserID(viewer.From(ctx).UserID))).Exec(ctx)
	if err != nil {
		return fmt.Errorf("unlike post %d: %w", id, err)
	}
	if n == 0 {
		return c.seen(ctx, entity.Post, id)
	}
	return nil
}
