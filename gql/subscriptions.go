package gql

import (
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/runtime/graph/subscribe"
)

// announcements are the subscriptions, by their names in subscriptions.graphql.
func announcements() map[string]subscribe.Announcement {
	return map[string]subscribe.Announcement{
		"newPost":            {Entity: entity.Post, Topics: []string{"post.published"}},
		"newComment":         {Entity: entity.Comment, Topics: []string{"comment.created"}, Argument: "postId", Of: entity.Post, Gone: "post.deleted"},
		"userStatusChanged":  {Entity: entity.User, Topics: []string{"user.status"}, Argument: "userId", Of: entity.User},
		"jobProgress":        {Entity: entity.Job, Topics: []string{"job.progress"}, Argument: "id", Of: entity.Job},
		"orderStatusChanged": {Entity: entity.Order, Topics: []string{"order.status"}, Argument: "id", Of: entity.Order},
	}
}
