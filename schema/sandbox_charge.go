package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
)

// SandboxCharge is the sandbox gateway's record of a charge or a refund. It stands
// for the books of a provider elsewhere: nothing else reads it, and it refers to
// no other table.
type SandboxCharge struct{ ent.Schema }

// Fields of the SandboxCharge.
func (SandboxCharge) Fields() []ent.Field {
	return []ent.Field{
		field.String("idempotency_key").Unique().Immutable().
			Comment("The key that it was asked for with."),
		field.String("charge_key").Optional().Nillable().Immutable().
			Comment("The key of the charge that is paid back, null for a charge."),
		field.Int64("amount").Immutable().
			Comment("The amount in minor units."),
		field.String("currency").Immutable().
			Comment("The ISO 4217 code of its currency."),
		field.Enum("status").Values("succeeded", "failed", "canceled").Immutable().
			Comment("Its outcome."),
		field.String("reason").Default("").Immutable().
			Comment("Why it failed."),
		field.Time("settles_at").Immutable().
			Comment("The time from which the gateway reports its outcome."),
	}
}

// Mixin of the SandboxCharge.
func (SandboxCharge) Mixin() []ent.Mixin {
	return []ent.Mixin{Record{}}
}

// Indexes of the SandboxCharge.
func (SandboxCharge) Indexes() []ent.Index {
	return []ent.Index{index.Fields("charge_key")}
}

// Policy of the SandboxCharge.
func (SandboxCharge) Policy() ent.Policy { return policy.Rules{} }

// Annotations of the SandboxCharge.
func (SandboxCharge) Annotations() []schema.Annotation {
	return []schema.Annotation{
		expose.Client{None: true},
		entsql.Checks(map[string]string{"sandbox_charges_amount": "amount >= 0"}),
		schema.Comment("A charge or a refund in the books of the sandbox gateway."),
	}
}
