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

// EmailChange is that a user left an e-mail address, whose reader can take it
// back for some time: with a token that is mailed to it.
type EmailChange struct{ ent.Schema }

// Fields of the EmailChange.
func (EmailChange) Fields() []ent.Field {
	return []ent.Field{
		field.String("old_email").Immutable().
			Comment("The address that was left."),
		field.Bytes("seed").Sensitive().Immutable().
			Comment("A random number from which the token is made, with a key that the database does not know: the same token each time the mail is tried."),
		field.Bytes("token_hash").Sensitive().Unique().Immutable().
			Comment("The SHA-256 hash of the token."),
		field.Time("expires_at").Immutable().
			Comment("Until when it can be taken back."),
		field.Int64("user_id").Immutable().
			Comment("The user."),
	}
}

// Mixin of the EmailChange.
func (EmailChange) Mixin() []ent.Mixin {
	return []ent.Mixin{Record{}}
}

// Edges of the EmailChange.
func (EmailChange) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable().
			Annotations(entsql.OnDelete(entsql.Cascade)),
	}
}

// Indexes of the EmailChange.
func (EmailChange) Indexes() []ent.Index {
	return []ent.Index{index.Fields("user_id"), index.Fields("expires_at")}
}

// Policy of the EmailChange.
func (EmailChange) Policy() ent.Policy { return policy.Rules{} }

// Annotations of the EmailChange.
func (EmailChange) Annotations() []schema.Annotation {
	return []schema.Annotation{accounts, ours, schema.Comment("That a user left an e-mail address, whose reader can take it back for some time.")}
}
