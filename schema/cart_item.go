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

// CartItem is a product that a user means to buy.
type CartItem struct{ ent.Schema }

// Fields of the CartItem.
func (CartItem) Fields() []ent.Field {
	return []ent.Field{
		expose.Range(field.Int64("quantity"), 1, 10_000).Default(1).
			Comment("How many.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Scanned(), expose.Example(2)),
		field.Int64("price_seen").Optional().Nillable().
			Comment("The product's price when the item was put into the cart or last changed, in minor units.").
			Annotations(expose.Internal()),
		field.String("currency_seen").Optional().Nillable().
			Comment("The currency of that price.").
			Annotations(expose.Internal()),
		field.Int64("product_id").Immutable().
			Comment("The product.").
			Annotations(expose.By(expose.Filter)),
	}
}

// Mixin of the CartItem.
func (CartItem) Mixin() []ent.Mixin {
	return []ent.Mixin{Base{}, Listed{}, Versioned{}}
}

// Edges of the CartItem.
func (CartItem) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("product", Product.Type).Ref("cart_items").Field("product_id").Unique().Required().Immutable().
			Comment("The product, also where it is no longer sold.").
			Annotations(expose.Through(), policy.Attach(policy.Anyone())),
		edge.From("user", User.Type).Ref("cart_items").Field("user_id").Unique().Required().Immutable().
			Comment("The user whose cart it is in.").
			Annotations(expose.By(expose.Filter), expose.Caller()),
	}
}

// Indexes of the CartItem.
func (CartItem) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("user_id", "product_id").Unique(),
		index.Fields("user_id", "created_at", "id"),
		index.Fields("product_id"),
	}
}

// Policy of the CartItem: a cart is its owner's.
func (CartItem) Policy() ent.Policy {
	return policy.Rules{
		Read: policy.Any(policy.Owner("user_id"), admin),
		Verbs: policy.Verbs{
			policy.Create: policy.Owner("user_id"),
			policy.Update: policy.Owner("user_id"),
			policy.Delete: policy.Owner("user_id"),
			"clear":       policy.Owner("user_id"),
		},
	}
}

// Annotations of the CartItem.
func (CartItem) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Checks(map[string]string{"cart_items_quantity": "quantity >= 1"}),
		schema.Comment("A product that a user means to buy."),
		expose.Client{Modify: true},
		expose.Resource{
			Path: "cart/items", Operations: expose.CRUD(),
			Upsert: &expose.Upsert{
				Index: []string{"user_id", "product_id"}, Add: []string{"quantity"}, Run: expose.InTx,
				Comment: "Puts so many of a product into the caller's cart, one without a quantity. Those of one that is in it already add up.",
				Detail: "A product that is in the cart already is answered with 200.\n\n" +
					"A cart takes 100 products and 10,000 of each. Whether there are as many is not asked before the order is: the item says so.",
				Summary: "Add a product to the cart",
			},
			Actions: []expose.Action{{
				Verb: "clear", Scope: expose.Unbound, Run: expose.InTx, Answer: expose.Answer{Nothing: true},
				Comment: "Empties the caller's cart. An empty one stays empty.",
				Names:   expose.Names{ID: "clearCart", Method: "DELETE", Path: "/cart", Tag: "Cart", Summary: "Empty the cart"},
			}},
			Derived: []expose.Derived{
				{
					Name: "price", Shape: expose.Amount, Currency: "currency", Example: 19.99,
					Comment: "The price of one now.",
					SQL:     `SELECT price FROM products WHERE id = {row}.product_id`,
				},
				{
					Name: "price_when_added", Shape: expose.Amount, Currency: "currency_when_added", Nullable: true, Example: 19.99,
					Comment: "The price of one when the item was put into the cart or last changed.",
					SQL:     `{row}.price_seen`,
				},
				{
					Name: "price_changed", Shape: expose.Flag, Example: false,
					Comment: "Whether the price is another one by now, or one in another currency.",
					SQL: `COALESCE((SELECT {row}.price_seen <> price OR COALESCE({row}.currency_seen, currency) <> currency ` +
						`FROM products WHERE id = {row}.product_id), FALSE)`,
				},
				{
					Name: "subtotal", Shape: expose.Amount, Currency: "currency", Example: 39.98,
					Comment: "The price of the item now: the price of one times the quantity.",
					SQL:     `{row}.quantity * (SELECT price FROM products WHERE id = {row}.product_id)`,
				},
				{
					Name: "currency", Shape: expose.Text, Example: "USD",
					Comment: "The ISO 4217 code of the currency of the amounts.",
					SQL:     `SELECT currency FROM products WHERE id = {row}.product_id`,
				},
				{
					Name: "currency_when_added", Shape: expose.Text, Example: "USD",
					Comment: "The ISO 4217 code of the currency of price_when_added.",
					SQL:     `SELECT COALESCE({row}.currency_seen, currency) FROM products WHERE id = {row}.product_id`,
				},
				{
					Name: "availability", Shape: expose.Text, Values: []string{"available", "insufficient", "out_of_stock", "removed"}, Example: "available",
					Comment: "Whether the item can be ordered in this quantity: if not, there are fewer than the quantity, none at all, or the product is no longer sold.",
					SQL: `SELECT CASE WHEN deleted_at IS NOT NULL THEN 'removed' WHEN NOT in_stock THEN 'out_of_stock' ` +
						`WHEN stock < {row}.quantity THEN 'insufficient' ELSE 'available' END FROM products WHERE id = {row}.product_id`,
				},
				{
					Name: "available_quantity", Shape: expose.Count, Nullable: true, Example: 12,
					Comment: "How many can be ordered, null where that is not counted.",
					SQL: `SELECT CASE WHEN deleted_at IS NOT NULL OR NOT in_stock THEN 0 ELSE stock END ` +
						`FROM products WHERE id = {row}.product_id`,
				},
			},
		},
	}
}
