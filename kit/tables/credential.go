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

// Credential is a user's means to sign in: a password, and a second factor where
// one was set up. A user who only comes through an identity provider has none.
type Credential struct{ ent.Schema }

// Fields of the Credential.
func (Credential) Fields() []ent.Field {
	return []ent.Field{
		field.String("password_hash").Sensitive().Optional().Nillable().
			Comment("The bcrypt hash over an HMAC of the password, null where there is none."),
		field.Time("password_changed_at").Optional().Nillable().
			Comment("When the password was set."),
		field.Bytes("totp_secret").Sensitive().Optional().
			Comment("The secret of the second factor, encrypted."),
		field.Bool("totp_enabled").Default(false).
			Comment("Whether signing in asks for a one-time code."),
		field.Time("totp_enabled_at").Optional().Nillable().
			Comment("When the second factor was turned on, null where there is none or it is from before this was kept."),
		field.Int64("totp_last_step").Default(0).
			Comment("The time step of the last code that was accepted: none is accepted twice."),
		field.Bytes("totp_pending").Sensitive().Optional().
			Comment("The secret of a second factor that is being set up, encrypted."),
		field.Int64("user_id").Immutable().
			Comment("The user."),
	}
}

// Mixin of the Credential.
func (Credential) Mixin() []ent.Mixin {
	return []ent.Mixin{Base{}}
}

// Edges of the Credential.
func (Credential) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable().
			Annotations(entsql.OnDelete(entsql.Cascade)),
	}
}

// Indexes of the Credential.
func (Credential) Indexes() []ent.Index {
	return []ent.Index{index.Fields("user_id").Unique()}
}

// Policy of the Credential.
func (Credential) Policy() ent.Policy { return policy.Rules{} }

// Annotations of the Credential.
func (Credential) Annotations() []schema.Annotation {
	return []schema.Annotation{
		accounts, ours,
		entsql.Checks(map[string]string{"credentials_totp": "totp_enabled <= (totp_secret IS NOT NULL)"}),
		schema.Comment("A user's means to sign in."),
	}
}
