package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/index"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Like says that a user likes a post.
type Like struct{ ent.Schema }

// Mixin of the Like.
func (Like) Mixin() []ent.Mixin {
	return []ent.Mixin{Record{}}
}

// Edges of the Like.
func (Like) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("post", Post.Type).Ref("likes").Field("post_id").Unique().Required().Immutable().
			Comment("The post that is liked.").
			Annotations(expose.By(expose.Filter), policy.Attach(policy.Anyone())),
		edge.From("user", User.Type).Ref("likes").Field("user_id").Unique().Required().Immutable().
			Comment("The user who likes it.").
			Annotations(expose.By(expose.Filter), expose.Caller(viewer.Admin), expose.Through()),
	}
}

// Indexes of the Like.
func (Like) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("user_id", "post_id").Unique(),
		index.Fields("user_id", "created_at", "id"),
	}
}

// Policy of the Like: viewers who can read the post can read who likes it, but for
// deleted users.
func (Like) Policy() ent.Policy {
	return policy.Rules{
		Read: policy.All(
			policy.Through("post_id", "posts", Post{}),
			policy.Related("user_id", "users", alive),
		),
		Verbs: policy.Verbs{
			policy.Create: policy.Any(policy.Owner("user_id"), admin),
			policy.Delete: policy.Any(policy.Owner("user_id"), admin),
		},
	}
}

// Annotations of the Like.
func (Like) Annotations() []schema.Annotation {
	return []schema.Annotation{
		schema.Comment("A user's liking of a post."),
		expose.Resource{Path: "likes"},
	}
}
