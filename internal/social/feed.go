// Package social says what is in a user's feed. The schemas declare the users'
// likes, shares and follows as marks.
package social

import (
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/read"
)

// shown says which posts are in feeds, in the words of the indexes of posts.
var shown = policy.All(policy.Is(entity.PostFields.Published.Column, true), policy.Null(entity.PostFields.ArchivedAt.Column), policy.Null(entity.PostFields.DeletedAt.Column))

// Feed lists posts that were published by the user and by the users that they follow.
func Feed(user int64) read.Timeline {
	return read.Timeline{
		Owner: entity.PostFields.AuthorID, At: entity.PostFields.PublishedAt, Shown: shown,
		Table: entity.Follow.Table, From: entity.FollowFields.FollowerID.Column, To: entity.FollowFields.FolloweeID.Column, Of: user,
	}
}
