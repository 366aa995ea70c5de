package gql

import (
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/runtime/graph/subscribe"
	"github.com/entwine-go/entwine/kit/runtime/reading"
)

// announcements are the subscriptions, by their names in subscriptions.graphql.
func announcements() map[string]subscribe.Announcement {
	return map[string]subscribe.Announcement{
		"newPost":           {Entity: entity.Post, Topics: []string{"post.published"}},
		"newComment":        {Entity: entity.Comment, Topics: []string{"comment.created"}, Argument: "postId", Of: entity.Post, Gone: "post.deleted"},
		"userStatusChanged": {Entity: entity.User, Topics: []string{"user.status"}, Argument: "userId", Of: entity.User},
		"jobProgress": {
			Entity: entity.Job, Topics: []string{"job.progress"}, Argument: "id", Of: entity.Job,
			Final: statusOf(entity.Job, "succeeded", "failed", "cancelled"),
		},
		"orderStatusChanged": {
			Entity: entity.Order, Topics: []string{"order.status"}, Argument: "id", Of: entity.Order,
			Final: statusOf(entity.Order, "refunded", "cancelled", "expired"),
		},
	}
}

// statusOf admits rows whose status is one of these.
func statusOf(e *reading.Entity, statuses ...any) reading.Filter {
	return reading.Compare(e.Field("status"), reading.In, statuses)
}
