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

// ResetToken is mailed to a user: with it a new password can be set, once.
type ResetToken struct{ ent.Schema }

// Fields of the ResetToken.
func (ResetToken) Fields() []ent.Field {
	return []ent.Field{
		field.Bytes("token_hash").Sensitive().Unique().Immutable().
			Comment("The SHA-256 hash of the token."),
		field.Time("expires_at").Immutable().
			Comment("When it expires."),
		field.Time("revoked_at").Optional().Nillable().
			Comment("When it was taken back.").
			// A reader of the mail of an address that the user has left must not
			// set their password.
			Annotations(expose.StampWhen("user_id", "NOT NEW.is_active OR NEW.deleted_at IS NOT NULL OR NEW.email_fold <> OLD.email_fold")),
		field.Int64("user_id").Immutable().
			Comment("The user."),
	}
}

// Mixin of the ResetToken.
func (ResetToken) Mixin() []ent.Mixin {
	return []ent.Mixin{Record{}}
}

// Edges of the ResetToken.
func (ResetToken) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable().
			Annotations(entsql.OnDelete(entsql.Cascade)),
	}
}

// Indexes of the ResetToken.
func (ResetToken) Indexes() []ent.Index {
	return []ent.Index{index.Fields("user_id"), index.Fields("expires_at")}
}

// Policy of the ResetToken.
func (ResetToken) Policy() ent.Policy { return policy.Rules{} }

// Annotations of the ResetToken.
func (ResetToken) Annotations() []schema.Annotation {
	return []schema.Annotation{accounts, ours, schema.Comment("A token that lets a user set a new password, once.")}
}
