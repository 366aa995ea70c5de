package tables

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/entwine-go/entwine/kit/policy"
)

// Handoff is a one-time code that a front end exchanges for the tokens of a
// sign-in through an identity provider.
type Handoff struct{ ent.Schema }

// Fields of the Handoff.
func (Handoff) Fields() []ent.Field {
	return []ent.Field{
		field.Bytes("code_hash").Sensitive().Unique().Immutable().
			Comment("The SHA-256 hash of the code."),
		field.Time("expires_at").Immutable().
			Comment("When it expires."),
		field.Int64("user_id").Immutable().
			Comment("The user who signed in."),
	}
}

// Mixin of the Handoff.
func (Handoff) Mixin() []ent.Mixin {
	return []ent.Mixin{Record{}}
}

// Edges of the Handoff.
func (Handoff) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable().
			Annotations(entsql.OnDelete(entsql.Cascade)),
	}
}

// Indexes of the Handoff.
func (Handoff) Indexes() []ent.Index {
	return []ent.Index{index.Fields("user_id"), index.Fields("expires_at")}
}

// Policy of the Handoff.
func (Handoff) Policy() ent.Policy { return policy.Rules{} }

// Annotations of the Handoff.
func (Handoff) Annotations() []schema.Annotation {
	return []schema.Annotation{accounts, ours, schema.Comment("A one-time code for the tokens of a sign-in.")}
}
