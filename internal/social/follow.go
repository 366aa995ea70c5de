package social

import (
	"context"
	"fmt"

	"github.com/entwine-go/entwine/ent/follow"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Following is what a user has come to by being followed.
type Following struct {
	// First is set where the follower had not followed the user before.
	First bool
	// Followers is how many users follow the user.
	Followers int64
}

// Follow has the viewer follow the user, or the follower whom an admin names:
// 0 for nobody.
func (c *Circle) Follow(ctx context.Context, id, follower int64) (f Following, err error) {
	err = c.DB.InTx(ctx, func(ctx context.Context) error {
		if follower, err = c.actor(ctx, "follower_id", follower); err != nil {
			return err
		}
		if follower == id {
			return problem.Inputs(problem.Rulef("id", id, "is the follower: nobody follows themselves"))
		}
		if err := c.seen(ctx, entity.User, id); err != nil {
			return err
		}
		f.First, err = c.add(ctx, entity.User, orm.Client(c.DB).Follow.Create().
			SetFollowerID(typedid.UserID(follower)).SetFolloweeID(typedid.UserID(id)).Exec)
		if err != nil {
			return fmt.Errorf("follow user %d: %w", id, err)
		}
		f.Followers, err = followers.of(ctx, c.DB, id)
		return err
	})
	return f, err
}

// Unfollow ends the viewer's following of the user. Where there was none the
// user must be one whom they can read.
func (c *Circle) Unfollow(ctx context.Context, id int64) error {
	n, err := orm.Client(c.DB).Follow.Delete().
		Where(follow.FolloweeID(typedid.UserID(id)), follow.FollowerID(typedid.UserID(viewer.From(ctx).UserID))).Exec(ctx)
	if err != nil {
		return fmt.Errorf("unfollow user %d: %w", id, err)
	}
	if n == 0 {
		return c.seen(ctx, entity.User, id)
	}
	return nil
}
