package gql

import (
	"context"
	"strconv"

	"github.com/99designs/gqlgen/graphql"

	"github.com/entwine-go/entwine/gql/generated"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/internal/social"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/gid"
	"github.com/entwine-go/entwine/kit/runtime/graph/plan"
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/viewer"
)

// feed plans feed. It is by hand: what it shows is merged by time from what
// several users wrote (social.Feed), which is no filter of posts that a schema
// could declare.
func feed(p *plan.Planner, f graphql.CollectedField) (plan.Read, error) {
	if rule := policy.SignedIn(); rule.For(p.Viewer).Never() {
		return nil, policy.Denied(p.Viewer)
	}
	q, err := p.Page(entity.Post, p.Arguments(f), entity.Post.Limit)
	if err != nil {
		return nil, err
	}
	timeline := social.Feed(p.Viewer.UserID)
	q.Where, q.Sort = timeline, timeline.Order()
	return p.Connection(entity.Post, q, f.Selections)
}

// LikePost resolves likePost(postId:, userId:).
func (r *resolver) LikePost(ctx context.Context, postID string, userID *string) (*generated.LikePayload, error) {
	a := act{ctx: ctx, on: entity.Post, id: postID, argument: "postId", by: userID, byArgument: "userId", field: "user_id"}
	id, err := a.run(entity.Like, policy.Create, func(id, by int64) error {
		_, err := r.circle().Like(ctx, id, by)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &generated.LikePayload{Liked: true, Post: postWith(id)}, nil
}

// UnlikePost resolves unlikePost(postId:).
func (r *resolver) UnlikePost(ctx context.Context, postID string) (*generated.LikePayload, error) {
	a := act{ctx: ctx, on: entity.Post, id: postID, argument: "postId"}
	id, err := a.run(entity.Like, policy.Delete, func(id, _ int64) error { return r.circle().Unlike(ctx, id) })
	if err != nil {
		return nil, err
	}
	return &generated.LikePayload{Post: postWith(id)}, nil
}

// SharePost resolves sharePost(postId:, userId:).
func (r *resolver) SharePost(ctx context.Context, postID string, userID *string) (*generated.SharePayload, error) {
	a := act{ctx: ctx, on: entity.Post, id: postID, argument: "postId", by: userID, byArgument: "userId", field: "user_id"}
	var shares int64
	id, err := a.run(entity.Share, policy.Create, func(id, by int64) (err error) {
		shares, err = r.circle().Share(ctx, id, by)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &generated.SharePayload{SharesCount: int(shares), URL: "/api/v1/posts/" + strconv.FormatInt(id, 10), Post: postWith(id)}, nil
}

// FollowUser resolves followUser(userId:, followerId:).
func (r *resolver) FollowUser(ctx context.Context, userID string, followerID *string) (*generated.FollowPayload, error) {
	a := act{ctx: ctx, on: entity.User, id: userID, argument: "userId", by: followerID, byArgument: "followerId", field: "follower_id"}
	id, err := a.run(entity.Follow, policy.Create, func(id, by int64) error {
		_, err := r.circle().Follow(ctx, id, by)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &generated.FollowPayload{Following: true, User: userWith(id)}, nil
}

// UnfollowUser resolves unfollowUser(userId:).
func (r *resolver) UnfollowUser(ctx context.Context, userID string) (*generated.FollowPayload, error) {
	a := act{ctx: ctx, on: entity.User, id: userID, argument: "userId"}
	id, err := a.run(entity.Follow, policy.Delete, func(id, _ int64) error { return r.circle().Unfollow(ctx, id) })
	if err != nil {
		return nil, err
	}
	return &generated.FollowPayload{User: userWith(id)}, nil
}

func (r *resolver) circle() *social.Circle { return &social.Circle{DB: r.DB} }

// act is what a mutation's arguments say of something that a user does to a row.
type act struct {
	ctx context.Context
	// on is what the row is of, id its id in the argument.
	on           *reading.Entity
	id, argument string
	// by is who acts where the argument names a user; the operation calls that
	// the field.
	by                *string
	byArgument, field string
}

// run does it, and returns the row's id. Who may not is told so before
// anything is said of the arguments.
func (a act) run(e *reading.Entity, verb string, do func(id, by int64) error) (int64, error) {
	if err := e.Rules.Check(viewer.From(a.ctx), verb); err != nil {
		return 0, err
	}
	var bad []problem.Detail
	id, err := gid.Parse(a.on.Name, a.id)
	if err != nil {
		bad = append(bad, problem.Invalidf(a.argument, a.id, "%v", err))
	}
	var by int64
	if a.by != nil {
		if by, err = gid.Parse(entity.User.Name, *a.by); err != nil {
			bad = append(bad, problem.Invalidf(a.byArgument, *a.by, "%v", err))
		}
	}
	if err := problem.Inputs(bad...); err != nil {
		return 0, err
	}
	return id, renamed(do(id, by), map[string]string{"id": a.argument, a.field: a.byArgument})
}
