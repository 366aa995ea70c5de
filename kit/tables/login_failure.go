package tables

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/entwine-go/entwine/kit/policy"
)

// LoginFailure is a failed attempt to sign in, counted for an account and an
// address whether or not there is such an account.
type LoginFailure struct{ ent.Schema }

// Fields of the LoginFailure.
func (LoginFailure) Fields() []ent.Field {
	return []ent.Field{
		field.Bytes("account_hash").Sensitive().Immutable().
			Comment("The keyed hash of the folded e-mail address."),
		field.String("address").Immutable().
			Comment("What the attempt counts for: an address of IPv4, a /64 of IPv6, or a device that the account knows."),
		field.String("site").Default("").Immutable().
			Comment("The /48 of IPv6 that the network is in, empty for another."),
		field.Bool("judged").Default(false).
			Comment("Whether the attempt has failed. Until then it is being made."),
	}
}

// Mixin of the LoginFailure.
func (LoginFailure) Mixin() []ent.Mixin {
	return []ent.Mixin{Record{}}
}

// Indexes of the LoginFailure.
func (LoginFailure) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("account_hash", "address", "created_at"),
		index.Fields("address", "created_at"),
		index.Fields("site", "created_at"),
		index.Fields("created_at"),
	}
}

// Policy of the LoginFailure.
func (LoginFailure) Policy() ent.Policy { return policy.Rules{} }

// Annotations of the LoginFailure.
func (LoginFailure) Annotations() []schema.Annotation {
	return []schema.Annotation{accounts, ours, schema.Comment("A failed attempt to sign in.")}
}
