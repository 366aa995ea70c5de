package rest

import (
	"context"
	"net/http"
	"strconv"

	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/internal/social"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/runtime/resource/door"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/rest/crud"
	"github.com/entwine-go/entwine/rest/oas/server"
)

// socialGuards are the guards of the operations in social.yaml.
var socialGuards = map[string]door.Guard{
	"likePost":     {Entity: entity.Like, Verb: policy.Create},
	"unlikePost":   {Entity: entity.Like, Verb: policy.Delete},
	"sharePost":    {Entity: entity.Share, Verb: policy.Create},
	"followUser":   {Entity: entity.Follow, Verb: policy.Create},
	"unfollowUser": {Entity: entity.Follow, Verb: policy.Delete},
	"readFeed":     signedIn,
}

// LikePost likes a post: POST /posts/{id}/like.
func (o *operations) LikePost(ctx context.Context, req server.OptOnBehalf, params server.LikePostParams) (server.LikePostRes, error) {
	l, err := o.circle.Like(ctx, params.ID, req.Value.UserID.Value)
	if err != nil {
		return nil, err
	}
	body := server.Liking{Status: success, Liked: true, LikesCount: l.Likes}
	if l.First {
		return (*server.LikePostCreated)(&body), nil
	}
	return (*server.LikePostOK)(&body), nil
}

// UnlikePost takes a liking back: DELETE /posts/{id}/like.
func (o *operations) UnlikePost(ctx context.Context, params server.UnlikePostParams) error {
	return o.circle.Unlike(ctx, params.ID)
}

// SharePost counts that a post was passed on: POST /posts/{id}/share.
func (o *operations) SharePost(ctx context.Context, req server.OptOnBehalf, params server.SharePostParams) (*server.Sharing, error) {
	n, err := o.circle.Share(ctx, params.ID, req.Value.UserID.Value)
	if err != nil {
		return nil, err
	}
	url := door.From(ctx).Base + "/posts/" + strconv.FormatInt(params.ID, 10)
	return &server.Sharing{Status: success, SharesCount: n, URL: url}, nil
}

// FollowUser follows a user: POST /users/{id}/follow.
func (o *operations) FollowUser(ctx context.Context, req server.OptFollowUserReq, params server.FollowUserParams) (server.FollowUserRes, error) {
	f, err := o.circle.Follow(ctx, params.ID, req.Value.FollowerID.Value)
	if err != nil {
		return nil, err
	}
	body := server.FollowResult{Status: success, Following: true, FollowersCount: f.Followers}
	if f.First {
		return (*server.FollowUserCreated)(&body), nil
	}
	return (*server.FollowUserOK)(&body), nil
}

// UnfollowUser ends a following: DELETE /users/{id}/follow.
func (o *operations) UnfollowUser(ctx context.Context, params server.UnfollowUserParams) error {
	return o.circle.Unfollow(ctx, params.ID)
}

// ReadFeed answers with a page of the caller's feed: GET /feed.
func (o *operations) ReadFeed(ctx context.Context, w http.ResponseWriter) error {
	feed := social.Feed(viewer.From(ctx).UserID)
	return o.door.ListWith(ctx, w, crud.PostResource, reading.ParamOptions{Scope: feed, Sort: feed.Order(), Mode: reading.ByCursor, Plain: true})
}
