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
	"github.com/entwine-go/entwine/kit/problem"
)

// Payment is one attempt to take money, for an order or alone. It is
// processing until the gateway has answered.
type Payment struct{ ent.Schema }

// Fields of the Payment.
func (Payment) Fields() []ent.Field {
	return []ent.Field{
		field.Enum("status").Values("processing", "succeeded", "failed").Default("processing").
			Comment("Where the payment stands. It is processing while the gateway is asked.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Selective(), expose.Computed(), expose.Busy("processing"), expose.States(
				expose.On("capture").From("processing").To("succeeded").BySystem(),
				expose.On("fail").From("processing").To("failed").BySystem(),
				expose.On("refund").From("succeeded").To("succeeded"),
			)),
		expose.AtLeast(field.Int64("amount"), 1).Immutable().
			Comment("The amount of the payment.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Scanned(), expose.Money("currency"), expose.Example(39.98)),
		field.Int64("amount_refunded").Default(0).
			Comment("The amount that was paid back of it, refunds on their way included.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Scanned(), expose.Money("currency"), expose.SumOf("refunds", "amount", "NEW.status <> 'failed'")),
		expose.Currency(field.String("currency")).Immutable().
			Comment("The ISO 4217 code of the currency of all amounts.").
			Annotations(expose.By(expose.Filter), expose.Scanned(), expose.Example("USD")),
		field.String("gateway").Immutable().
			Comment("The gateway that was asked.").
			Annotations(expose.Internal()),
		field.String("gateway_reference").Optional().Nillable().
			Comment("The gateway's id of the payment.").
			Annotations(expose.Internal()),
		field.String("request_key").Optional().Nillable().Immutable().Unique().
			Comment("The request that asked for it, by the hash of its Idempotency-Key.").
			Annotations(expose.Internal()),
		expose.Length(field.String("failure"), 0, 500).Optional().Nillable().
			Comment("Why it failed, null where it did not.").
			Annotations(expose.Computed(), expose.Example("The card was declined.")),
		field.Time("captured_at").Optional().Nillable().
			Comment("When the money was taken, null where it was not.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Computed()),
		field.Int64("order_id").Optional().Nillable().Immutable().
			Comment("The order that is paid, null for a payment of its own.").
			Annotations(expose.By(expose.Filter)),
		field.Int64("user_id").Optional().Nillable().
			Comment("The user who pays, null once the account is removed.").
			Annotations(expose.By(expose.Filter), expose.Computed()),
	}
}

// Mixin of the Payment.
func (Payment) Mixin() []ent.Mixin {
	return []ent.Mixin{Base{}, Listed{}, Versioned{}}
}

// Edges of the Payment.
func (Payment) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("order", Order.Type).Ref("payments").Field("order_id").Unique().Immutable().
			Comment("The order that is paid.").
			Annotations(policy.Attach(policy.Any(policy.Owner("user_id"), admin))),
		edge.To("user", User.Type).Field("user_id").Unique().
			Comment("The user who pays.").
			Annotations(entsql.OnDelete(entsql.SetNull)),
		edge.To("refunds", Refund.Type).
			Comment("The refunds of it.").
			Annotations(entsql.OnDelete(entsql.Restrict), expose.Nested(expose.List)),
	}
}

// Indexes of the Payment.
func (Payment) Indexes() []ent.Index {
	return []ent.Index{
		// One order, one capture: at most one attempt that has not failed.
		index.Fields("order_id").Unique().StorageKey("payment_order_captured").Annotations(entsql.IndexWhere("status <> 'failed'")),
		// The rows that are left to settle.
		index.Fields("updated_at").Annotations(entsql.IndexWhere("status = 'processing'")),
		index.Fields("captured_at"),
		index.Fields("gateway", "gateway_reference").Unique(),
	}
}

// Policy of the Payment.
func (Payment) Policy() ent.Policy {
	return policy.Rules{
		Read: policy.Any(policy.Owner("user_id"), admin),
		Verbs: policy.Verbs{
			policy.Create: policy.Any(policy.Owner("user_id"), admin),
			"refund":      admin,
		},
	}
}

// Annotations of the Payment.
func (Payment) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Checks(map[string]string{
			"payments_amount":        "amount > 0",
			"payments_refunds_least": "amount_refunded >= 0",
			"payments_refunds_most":  "amount_refunded <= amount",
			"payments_captured":      "status = 'succeeded' OR captured_at IS NULL",
			"payments_captured_at":   "status <> 'succeeded' OR captured_at IS NOT NULL",
		}),
		schema.Comment("An attempt to take money, for an order or alone."),
		expose.Resource{
			Path:       "payments",
			Operations: expose.ReadOnly(),
			Actions: []expose.Action{
				{
					Verb: "create", Scope: expose.Collection, Run: expose.OutsideTx, Answer: expose.Answer{Pending: true, Found: true}, Errors: gatewayErrors,
					Comment: "Takes money, for an order or for nothing in particular. A payment that is still processing afterwards is decided later.",
					Detail: "With an `Idempotency-Key` a repetition takes nothing more: it answers 200 with what the first one was answered with, and `Idempotency-Replayed: true`. While the gateway has not decided it answers 202 again, and after that with what was decided.\n\n" +
						"The gateway answers as it does where an order is paid.",
					Input: []ent.Field{
						expose.AtLeast(field.Int64("amount"), 0).
							Comment("How much, more than 0. For an order it is its total.").
							Annotations(expose.Money("currency"), expose.Example(39.98)),
						expose.Currency(field.String("currency")).
							Comment("The ISO 4217 code of the currency.").
							Annotations(expose.Example("USD")),
						field.Int64("order_id").Optional().
							Comment("The order that is paid.").
							Annotations(expose.Refers("Order")),
					},
					Names: expose.Names{Summary: "Make a payment", Body: "PaymentRequest", BodyComment: "The amount of the payment."},
				},
				{
					Verb: "refund", Done: "refunded", Else: "nothing is left of the payment to pay back", Run: expose.OutsideTx,
					Answer: expose.Answer{Pending: true}, Errors: gatewayErrors,
					Comment: "Pays back of a payment, in parts or whole; one for an order is refunded as the order is. Admins only.",
					Detail: "Without an amount it is all that is left. Refunds never come to more than the payment. One of its own has no other way to be paid back.\n\n" +
						"The gateway answers as it does for payments.",
					When: policy.Less("amount_refunded", "amount"),
					Wait: policy.Having("id", "refunds", "payment_id", policy.Is("status", "processing")),
					Input: []ent.Field{
						expose.AtLeast(field.Int64("amount"), 0).Optional().
							Comment("How much, in the currency of the payment: all that is left without it.").
							Annotations(expose.Money("currency"), expose.Example(19.99)),
						expose.Line(expose.Length(field.String("reason"), 0, 500)).Optional().
							Comment("Why it is paid back.").
							Annotations(expose.Example("Paid twice.")),
					},
					Names: expose.Names{BodyComment: "The amount to pay back of a payment, and the reason."},
				},
			},
			Events: []expose.Topic{
				{Name: "payment.status", On: "update", When: "NEW.status <> OLD.status", Payload: []string{"status"}},
			},
		},
	}
}

// gatewayErrors are the ways in which a payment gateway fails to answer as it should.
var gatewayErrors = []problem.Kind{problem.PaymentDeclined, problem.BadGateway, problem.GatewayTimeout}
