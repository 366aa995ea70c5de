package tables

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
)

// VerificationToken is mailed to a user: showing it, once, verifies the address.
type VerificationToken struct{ ent.Schema }

// Fields of the VerificationToken.
func (VerificationToken) Fields() []ent.Field {
	return []ent.Field{
		field.Bytes("token_hash").Sensitive().Unique().Immutable().
			Comment("The SHA-256 hash of the token."),
		field.Time("expires_at").Immutable().
			Comment("When it expires."),
		field.Time("revoked_at").Optional().Nillable().
			Comment("When it was taken back.").
			// It says nothing of another address than the one it was sent to.
			Annotations(expose.StampWhen("user_id", "NOT NEW.is_active OR NEW.deleted_at IS NOT NULL OR NEW.email_fold <> OLD.email_fold")),
		field.Int64("user_id").Immutable().
			Comment("The user."),
	}
}

// Mixin of the VerificationToken.
func (VerificationToken) Mixin() []ent.Mixin {
	return []ent.Mixin{Record{}}
}

// Edges of the VerificationToken.
func (VerificationToken) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable().
			Annotations(entsql.OnDelete(entsql.Cascade)),
	}
}

// Indexes of the VerificationToken.
func (VerificationToken) Indexes() []ent.Index {
	return []ent.Index{index.Fields("user_id"), index.Fields("expires_at")}
}

// Policy of the VerificationToken.
func (VerificationToken) Policy() ent.Policy { return policy.Rules{} }

// Annotations of the VerificationToken.
func (VerificationToken) Annotations() []schema.Annotation {
	return []schema.Annotation{accounts, ours, schema.Comment("A token that shows that a user reads their mail, once.")}
}
