package schema

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

// Refund pays back what was paid, in parts or whole.
type Refund struct{ ent.Schema }

// Fields of the Refund.
func (Refund) Fields() []ent.Field {
	return []ent.Field{
		field.Enum("status").Values("processing", "succeeded", "failed").Default("processing").
			Comment("Where the refund stands. It is processing while the gateway is asked.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Selective(), expose.Computed()),
		expose.AtLeast(field.Int64("amount"), 1).Immutable().
			Comment("The amount that is paid back.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Scanned(), expose.Money("currency"), expose.Example(19.99)),
		expose.Currency(field.String("currency")).Immutable().
			Comment("The ISO 4217 code of the payment's currency.").
			Annotations(expose.Computed(), expose.Example("USD")),
		expose.Line(expose.Length(field.String("reason"), 0, 500)).Optional().Nillable().Immutable().
			Comment("Why it is paid back.").
			Annotations(expose.Example("The parcel was lost.")),
		field.Bool("restock").Default(false).Immutable().
			Comment("Whether the products go back into stock once all is paid back.").
			Annotations(expose.Internal()),
		field.String("request_key").Optional().Nillable().Immutable().Unique().
			Comment("The request that asked for it, by the hash of its Idempotency-Key.").
			Annotations(expose.Internal()),
		field.String("gateway_reference").Optional().Nillable().
			Comment("The gateway's id of the refund.").
			Annotations(expose.Internal()),
		expose.Length(field.String("failure"), 0, 500).Optional().Nillable().
			Comment("Why it failed, null where it did not.").
			Annotations(expose.Computed()),
		field.Time("refunded_at").Optional().Nillable().
			Comment("When the money was paid back, null while it is not.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Computed()),
	}
}

// Mixin of the Refund.
func (Refund) Mixin() []ent.Mixin {
	return []ent.Mixin{Base{}, Listed{}, Versioned{}}
}

// Edges of the Refund.
func (Refund) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("payment", Payment.Type).Ref("refunds").Field("payment_id").Unique().Required().Immutable().
			Comment("The payment that is paid back.").
			Annotations(expose.By(expose.Filter), policy.Attach(admin)),
	}
}

// Indexes of the Refund.
func (Refund) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("refunded_at"),
		// The rows that are left to settle.
		index.Fields("updated_at").Annotations(entsql.IndexWhere("status = 'processing'")),
	}
}

// Policy of the Refund: viewers who can read the payment can read its refunds.
func (Refund) Policy() ent.Policy {
	return policy.Rules{
		Read:  policy.Any(policy.Related("payment_id", "payments", policy.Owner("user_id")), admin),
		Verbs: policy.Verbs{policy.Create: admin},
	}
}

// Annotations of the Refund.
func (Refund) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Checks(map[string]string{"refunds_amount": "amount > 0"}),
		schema.Comment("Money paid back of a payment, in parts or whole."),
		expose.Resource{Path: "refunds", Operations: expose.ReadOnly()},
	}
}
