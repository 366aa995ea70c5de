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

// ExternalIdentity is an identity provider's name for a user.
type ExternalIdentity struct{ ent.Schema }

// Fields of the ExternalIdentity.
func (ExternalIdentity) Fields() []ent.Field {
	return []ent.Field{
		field.String("issuer").Immutable().
			Comment("The identity provider."),
		field.String("subject").Immutable().
			Comment("The provider's id of the user."),
		field.String("email").Optional().Nillable().
			Comment("The e-mail address that the provider last named. Nobody is found by it."),
		field.Time("last_used_at").Default(Now).
			Comment("When the user last came through the provider."),
		field.Int64("user_id").Immutable().
			Comment("The user."),
	}
}

// Mixin of the ExternalIdentity.
func (ExternalIdentity) Mixin() []ent.Mixin {
	return []ent.Mixin{Record{}}
}

// Edges of the ExternalIdentity.
func (ExternalIdentity) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable().
			Annotations(entsql.OnDelete(entsql.Cascade)),
	}
}

// Indexes of the ExternalIdentity.
func (ExternalIdentity) Indexes() []ent.Index {
	return []ent.Index{index.Fields("issuer", "subject").Unique(), index.Fields("user_id")}
}

// Policy of the ExternalIdentity.
func (ExternalIdentity) Policy() ent.Policy { return policy.Rules{} }

// Annotations of the ExternalIdentity.
func (ExternalIdentity) Annotations() []schema.Annotation {
	return []schema.Annotation{accounts, ours, schema.Comment("What an identity provider calls a user.")}
}
