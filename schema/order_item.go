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

// OrderItem is a line of an order. Name and price are the product's at the
// time of the order.
type OrderItem struct{ ent.Schema }

// Fields of the OrderItem.
func (OrderItem) Fields() []ent.Field {
	return []ent.Field{
		field.String("name").Immutable().
			Comment("The product's name when it was ordered.").
			Annotations(expose.By(expose.Filter), expose.Scanned(), expose.Computed(), expose.Example("Slide rule")),
		expose.AtLeast(field.Int64("price"), 0).Immutable().
			Comment("The product's price when it was ordered, for one.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Scanned(), expose.Money("currency"), expose.Computed(), expose.Example(19.99)),
		expose.AtLeast(field.Int64("quantity"), 1).Immutable().
			Comment("How many were ordered.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Scanned(), expose.Computed(), expose.Example(2)),
		expose.AtLeast(field.Int64("total"), 0).Immutable().
			Comment("The price of the line.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Scanned(), expose.Money("currency"), expose.Computed(), expose.Example(39.98)),
		expose.Currency(field.String("currency")).Immutable().
			Comment("The ISO 4217 code of the order's currency.").
			Annotations(expose.Computed(), expose.Example("USD")),
		field.Bool("taken").Immutable().Default(true).
			Comment("Whether it was taken out of a stock that is counted, and goes back there.").
			Annotations(expose.Internal()),
		field.Int64("order_id").Immutable().
			Comment("The order.").
			Annotations(expose.By(expose.Filter), expose.Computed()),
		field.Int64("product_id").Optional().Nillable().
			Comment("The product, null once it is removed.").
			Annotations(expose.By(expose.Filter), expose.Computed()),
	}
}

// Mixin of the OrderItem.
func (OrderItem) Mixin() []ent.Mixin {
	return []ent.Mixin{Record{}, Listed{}}
}

// Edges of the OrderItem.
func (OrderItem) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("order", Order.Type).Ref("items").Field("order_id").Unique().Required().Immutable().
			Comment("The order."),
		edge.From("product", Product.Type).Ref("order_items").Field("product_id").Unique().
			Comment("The product."),
	}
}

// Indexes of the OrderItem.
func (OrderItem) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("product_id", "order_id"),
	}
}

// Policy of the OrderItem: viewers who can read the order can read its lines.
func (OrderItem) Policy() ent.Policy {
	return policy.Rules{
		Read: policy.Any(policy.Related("order_id", "orders", policy.Owner("user_id")), admin),
	}
}

// Annotations of the OrderItem.
func (OrderItem) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Checks(map[string]string{"order_items_quantity": "quantity >= 1", "order_items_total": "total = (price * quantity)"}),
		schema.Comment("A line of an order, as the product was when it was ordered."),
		expose.Resource{Path: "order-items", Operations: expose.ReadOnly()},
	}
}
