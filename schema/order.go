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

// Order is what a user buys at once.
//
//	pending -pay-> processing -> paid | pending
//	pending -cancel-> cancelled       pending -(30 min)-> expired
//	paid -refund-> partially_refunded -refund-> refunded
type Order struct{ ent.Schema }

// Fields of the Order.
func (Order) Fields() []ent.Field {
	return []ent.Field{
		field.Enum("status").
			Values(Order{}.states()...).
			Default("pending").
			Comment("Where the order stands. It is processing while the payment is being made.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Selective(), expose.Computed()),
		expose.AtLeast(field.Int64("total"), 0).
			Comment("What is to be paid for all lines, in the order's currency.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Scanned(), expose.Money("currency"), expose.Computed(), expose.Example(39.98)),
		expose.Currency(field.String("currency")).
			Comment("The ISO 4217 code of the currency of all amounts.").
			Annotations(expose.By(expose.Filter), expose.Scanned(), expose.Computed(), expose.Example("USD")),
		field.Time("expires_at").Optional().Nillable().
			Comment("When the order expires unless it is paid.").
			Annotations(expose.By(expose.Filter), expose.Scanned(), expose.Computed()),
		field.Time("paid_at").Optional().Nillable().
			Comment("When the order was paid, null while it is not.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Computed()),
		field.Time("closed_at").Optional().Nillable().
			Comment("When the order was cancelled or expired, null while it is not.").
			Annotations(expose.Computed()),
		field.Int64("user_id").Optional().Nillable().
			Comment("The user who ordered, null once the account is removed.").
			Annotations(expose.By(expose.Filter), expose.Computed()),
	}
}

// states are those that an order can be in.
func (Order) states() []string {
	return []string{"pending", "processing", "paid", "partially_refunded", "refunded", "cancelled", "expired"}
}

// Mixin of the Order.
func (Order) Mixin() []ent.Mixin {
	return []ent.Mixin{Base{}, Listed{}, Versioned{}}
}

// Edges of the Order.
func (Order) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("user", User.Type).Ref("orders").Field("user_id").Unique().
			Comment("The user who ordered."),
		edge.To("items", OrderItem.Type).
			Comment("The lines.").
			Annotations(entsql.OnDelete(entsql.Cascade), expose.Nested(expose.List)),
		edge.To("payments", Payment.Type).
			Comment("The attempts to pay it.").
			Annotations(entsql.OnDelete(entsql.Restrict), expose.Nested(expose.List)),
		edge.To("invoice", Invoice.Type).Unique().
			Comment("The invoice, null until the order is paid.").
			Annotations(entsql.OnDelete(entsql.Restrict)),
	}
}

// Indexes of the Order.
func (Order) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("user_id", "created_at", "id"),
		index.Fields("paid_at"),
		// What the worker lets expire.
		index.Fields("expires_at").Annotations(entsql.IndexWhere("status = 'pending'")),
	}
}

// Policy of the Order.
func (Order) Policy() ent.Policy {
	return policy.Rules{
		Read: policy.Any(policy.Owner("user_id"), admin),
		Verbs: policy.Verbs{
			policy.Create: policy.Owner("user_id"),
			policy.Pay:    policy.Any(policy.Owner("user_id"), admin),
			policy.Cancel: policy.Any(policy.Owner("user_id"), admin),
			policy.Refund: admin,
		},
	}
}

// Annotations of the Order.
func (Order) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Checks(map[string]string{"orders_total": "total >= 0"}),
		schema.Comment("What a user buys at once."),
		expose.Resource{
			Path:       "orders",
			Operations: expose.ReadOnly(),
			Derived: []expose.Derived{
				expose.Derived{
					Name: "actions", Comment: "What can be done to it now.", SQL: Order{}.actions(),
					Example: []map[string]any{
						{"name": "pay", "method": "POST", "href": "/api/v1/orders/1/pay"}, {"name": "cancel", "method": "POST", "href": "/api/v1/orders/1/cancel"},
					},
				}.Of(OrderAction{}),
			},
			Events: []expose.Topic{
				{Name: "order.status", On: "insert", Payload: []string{"status"}, Feeds: &expose.Subscription{
					Name: "orderStatusChanged", Argument: "id", Present: true, Final: expose.At("status", "refunded", "cancelled", "expired"),
					Comment: "The order as it is, and then each time that its status changes. The stream ends\n" +
						"when the order is refunded, cancelled or expired.",
				}},
				{Name: "order.status", On: "update", When: "NEW.status <> OLD.status", Payload: []string{"status"}},
			},
		},
	}
}
