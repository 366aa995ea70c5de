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

// Order is a purchase of a user.
type Order struct{ ent.Schema }

// Fields of the Order.
func (Order) Fields() []ent.Field {
	return []ent.Field{
		field.Enum("status").
			Values(Order{}.states()...).
			Default("pending").
			Comment("Where the order stands. It is processing while the payment is being made.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Selective(), expose.Computed(), expose.Busy("processing"), expose.States(
				expose.On("pay").From("pending").To("processing", "paid"), // paid at once: there is nothing to pay
				expose.On("capture").From("processing").To("paid").BySystem(),
				expose.On("fail").From("processing").To("pending").BySystem(),
				expose.On("cancel").From("pending").To("cancelled"),
				expose.On("expire").From("pending").To("expired").BySystem(),
				expose.On("refund").From("paid", "partially_refunded").To("partially_refunded", "refunded"),
			)),
		expose.AtLeast(field.Int64("total"), 0).
			Comment("The price of all lines, in the order's currency.").
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
		index.Fields("paid_at"),
		// The worker reads it to let orders expire.
		index.Fields("expires_at").Annotations(entsql.IndexWhere("status = 'pending'")),
	}
}

// Policy of the Order.
func (Order) Policy() ent.Policy {
	return policy.Rules{
		Read: policy.Any(policy.Owner("user_id"), admin),
		Verbs: policy.Verbs{
			policy.Create: policy.Owner("user_id"),
			"pay":         policy.Any(policy.Owner("user_id"), admin),
			"cancel":      policy.Any(policy.Owner("user_id"), admin),
			"refund":      admin,
		},
	}
}

// Annotations of the Order.
func (Order) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Checks(map[string]string{"orders_total": "total >= 0"}),
		schema.Comment("A purchase of a user."),
		expose.Client{Lock: true},
		expose.Resource{
			Path:        "orders",
			Operations:  expose.ReadOnly(),
			Changes:     true,
			Live:        true,
			Actions:     orderActs(),
			Links:       []expose.Link{{Name: "invoice", When: policy.In("status", "paid", "partially_refunded", "refunded")}},
			ShowActions: true,
			Events: []expose.Topic{
				{Name: "order.status", On: "insert", Payload: []string{"status"}, Feeds: &expose.Subscription{
					Name: "orderStatusChanged", Argument: "id", Present: true, Final: expose.At("status", "refunded", "cancelled", "expired"),
					Comment: "The current order, and then the order each time that its status changes. The stream ends\n" +
						"when the order is refunded, cancelled or expired.",
				}},
				{Name: "order.status", On: "update", When: "NEW.status <> OLD.status", Payload: []string{"status"}},
			},
		},
	}
}

// leftToRefund admits orders for which something was paid that is not paid
// back, nor on its way back.
var leftToRefund = policy.Having("id", "payments", "order_id", policy.All(policy.Is("status", "succeeded"), policy.Less("amount_refunded", "amount")))

// orderActs are the actions of orders.
func orderActs() []expose.Action {
	return []expose.Action{
		{
			Verb: "create", Scope: expose.Collection, Run: expose.InTx,
			Comment: "Orders the items, or, without any, all that is in the caller's cart, which is emptied. The products are taken out of stock.",
			Detail: "Names and prices are copied from the products, which are out of stock until the order is paid, cancelled or, after 30 minutes, expired. " +
				"Items of one product become one line.\n\n" +
				"A product that is not in stock is 409; an empty cart, a product that there is not, and products of several currencies are 422.",
			Errors: []problem.Kind{problem.Conflict},
			Input: []ent.Field{
				expose.ObjectList("items", expose.ObjectType{Name: "OrderItemInput", Comment: "A product that is ordered.", Minimum: 1, Maximum: 1000},
					field.Int64("product_id").
						Comment("The id of the product.").
						Annotations(expose.Refers("Product"), expose.Example(1)),
					expose.Range(field.Int64("quantity"), 1, 10_000).
						Comment("How many.").
						Annotations(expose.Example(2)),
				).Optional().Comment("The products: all of the cart without it."),
			},
			Names: expose.Names{Summary: "Place an order", BodyComment: "The items to order: all of the cart without any."},
		},
		{
			Verb: "pay", Done: "paid", Run: expose.OutsideTx, Answer: expose.Answer{Pending: true}, Errors: gatewayErrors,
			Comment: "Takes the money for a pending order. Of any number of requests at once one takes it. An order that is still processing afterwards is decided later.",
			Detail: "While the gateway is asked, the order is `processing`, and every change is 409 with `Retry-After`.\n\n" +
				"A payment that is declined is 402, and the order is pending again. Where the gateway's answer is lost (502, 504) the order stays `processing` " +
				"until the service has found out what became of the payment, which takes some 15 seconds; a repetition with the same `Idempotency-Key` answers with that.\n\n" +
				"Without another gateway, a sandbox answers by the last two digits of the amount in minor units: 02 is declined, 03 is taken and its answer lost (504), " +
				"04 is taken later (202), 05 is taken and answered twice, 06 fails (502), and everything else is taken.",
		},
		{
			Verb: "cancel", Done: "cancelled", Run: expose.InTx,
			Comment: "Ends a pending order, and puts its products back into stock.",
			Set:     expose.Set{"status": "cancelled", "closed_at": expose.Now},
		},
		{
			Verb: "refund", Done: "refunded", Else: "nothing is left of what was paid for the order", Run: expose.OutsideTx,
			Answer: expose.Answer{Pending: true}, Errors: gatewayErrors,
			Comment: "Pays back what was paid, in parts or whole. Admins only.",
			Detail: "Without an amount it is all that is left. Refunds never come to more than the payment. " +
				"Refunded products do not go back into stock, unless `restock` asks for it with the refund that completes the sum.\n\n" +
				"The gateway answers as it does for payments.",
			When: leftToRefund,
			Wait: policy.Having("id", "payments", "order_id", policy.Having("id", "refunds", "payment_id", policy.Is("status", "processing"))),
			Input: []ent.Field{
				expose.AtLeast(field.Int64("amount"), 0).Optional().
					Comment("How much, in the currency of the order: all that is left without it.").
					Annotations(expose.Money("currency"), expose.Example(19.99)),
				expose.Line(expose.Length(field.String("reason"), 0, 500)).Optional().
					Comment("Why it is paid back.").
					Annotations(expose.Example("One of two was broken.")),
				field.Bool("restock").Default(false).
					Comment("Whether the products go back into stock once all is paid back."),
			},
			Names: expose.Names{BodyComment: "The amount to pay back, and the reason."},
		},
	}
}
