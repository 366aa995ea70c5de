package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/index"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Follow is one user's wish to read what another one writes.
type Follow struct{ ent.Schema }

// Mixin of the Follow.
func (Follow) Mixin() []ent.Mixin {
	return []ent.Mixin{Record{}}
}

// Edges of the Follow.
func (Follow) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("follower", User.Type).Field("follower_id").Unique().Required().Immutable().
			Comment("The user who follows.").
			Annotations(expose.By(expose.Filter), expose.Caller(viewer.Admin), entsql.OnDelete(entsql.Cascade)),
		edge.To("followee", User.Type).Field("followee_id").Unique().Required().Immutable().
			Comment("The user who is followed.").
			Annotations(expose.By(expose.Filter), entsql.OnDelete(entsql.Cascade), policy.Attach(policy.Anyone())),
	}
}

// Indexes of the Follow.
func (Follow) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("follower_id", "followee_id").Unique(),
		index.Fields("followee_id", "follower_id"),
		index.Fields("follower_id", "created_at", "id"),
		index.Fields("followee_id", "created_at", "id"),
	}
}

// Policy of the Follow: it is there for as long as both users are.
func (Follow) Policy() ent.Policy {
	return policy.Rules{
		Read: policy.All(known, policy.Related("follower_id", "users", alive), policy.Related("followee_id", "users", alive)),
		Verbs: policy.Verbs{
			policy.Create: policy.Any(policy.Owner("follower_id"), admin),
			policy.Delete: policy.Any(policy.Owner("follower_id"), admin),
		},
	}
}

// Annotations of the Follow.
func (Follow) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Checks(map[string]string{"follows_not_oneself": "follower_id <> followee_id"}),
		schema.Comment("One user's wish to read what another one writes."),
		expose.Resource{Path: "follows"},
	}
}
