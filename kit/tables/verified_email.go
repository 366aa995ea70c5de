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

// VerifiedEmail is the address of a user who is known to read its mail. It counts
// while the user has that address. After a change of the address, by any API or by
// Go code, the user is not verified.
type VerifiedEmail struct{ ent.Schema }

// Fields of the VerifiedEmail.
func (VerifiedEmail) Fields() []ent.Field {
	return []ent.Field{
		field.String("address").
			Comment("The address, without regard to case."),
		field.Enum("proof").Values("mail", "provider", "operator").
			Comment("How it is known: by a token that was mailed, from an identity provider, or because an operator says so."),
		field.Time("verified_at").Default(Now).
			Comment("Since when it is known."),
		field.Int64("user_id").Immutable().
			Comment("The user."),
	}
}

// Mixin of the VerifiedEmail.
func (VerifiedEmail) Mixin() []ent.Mixin {
	return []ent.Mixin{Record{}}
}

// Edges of the VerifiedEmail.
func (VerifiedEmail) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable().
			Annotations(entsql.OnDelete(entsql.Cascade)),
	}
}

// Indexes of the VerifiedEmail.
func (VerifiedEmail) Indexes() []ent.Index {
	return []ent.Index{index.Fields("user_id").Unique()}
}

// Policy of the VerifiedEmail.
func (VerifiedEmail) Policy() ent.Policy { return policy.Rules{} }

// Annotations of the VerifiedEmail.
func (VerifiedEmail) Annotations() []schema.Annotation {
	return []schema.Annotation{accounts, ours, schema.Comment("The address of a user who is known to read its mail.")}
}
