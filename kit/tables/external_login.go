package tables

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/entwine-go/entwine/kit/policy"
)

// ExternalLogin is a sign-in through an identity provider that has begun: it
// is consumed by the callback, which so accepts each state once.
type ExternalLogin struct{ ent.Schema }

// Fields of the ExternalLogin.
func (ExternalLogin) Fields() []ent.Field {
	return []ent.Field{
		field.Bytes("state_hash").Sensitive().Unique().Immutable().
			Comment("The SHA-256 hash of the state."),
		field.Bytes("browser_hash").Sensitive().Immutable().
			Comment("The SHA-256 hash of the cookie of the browser that began it."),
		field.String("nonce").Sensitive().Immutable().
			Comment("What the identity token must repeat."),
		field.Bytes("verifier").Sensitive().Immutable().
			Comment("The PKCE verifier, encrypted."),
		field.String("return_to").Default("").Immutable().
			Comment("The front-end address to go back to."),
		field.Time("expires_at").Immutable().
			Comment("When it can no longer be completed."),
	}
}

// Mixin of the ExternalLogin.
func (ExternalLogin) Mixin() []ent.Mixin {
	return []ent.Mixin{Record{}}
}

// Indexes of the ExternalLogin.
func (ExternalLogin) Indexes() []ent.Index {
	return []ent.Index{index.Fields("expires_at")}
}

// Policy of the ExternalLogin.
func (ExternalLogin) Policy() ent.Policy { return policy.Rules{} }

// Annotations of the ExternalLogin.
func (ExternalLogin) Annotations() []schema.Annotation {
	return []schema.Annotation{accounts, ours, schema.Comment("A sign-in through an identity provider that has begun.")}
}
