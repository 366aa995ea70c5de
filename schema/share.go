package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Share says that a user passed a post on.
type Share struct{ ent.Schema }

// Mixin of the Share.
func (Share) Mixin() []ent.Mixin {
	return []ent.Mixin{Record{}}
}

// Edges of the Share.
func (Share) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("post", Post.Type).Ref("shares").Field("post_id").Unique().Required().Immutable().
			Comment("The post that was shared.").
			Annotations(expose.By(expose.Filter), policy.Attach(policy.Anyone())),
		edge.From("user", User.Type).Ref("shares").Field("user_id").Unique().Required().Immutable().
			Comment("The user who shared it.").
			Annotations(expose.By(expose.Filter), expose.Caller(viewer.Admin)),
	}
}

// Policy of the Share: a share shows its user for as long as the user exists.
func (Share) Policy() ent.Policy {
	return policy.Rules{
		Read: policy.All(
			known,
			policy.Through("post_id", "posts", Post{}),
			policy.Related("user_id", "users", alive),
		),
		Verbs: policy.Verbs{
			policy.Create: policy.Any(policy.Owner("user_id"), admin),
		},
	}
}

// Annotations of the Share.
func (Share) Annotations() []schema.Annotation {
	return []schema.Annotation{
		schema.Comment("A user's passing on of a post."),
		expose.Resource{Path: "shares"},
	}
}
