package schema

import (
	"fmt"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
)

// Product is something that is sold.
type Product struct{ ent.Schema }

// A price, times the most that a cart takes of a product, times the most
// products that it takes, stays within 64 bits; so do the stock and what can
// come back to it.
const (
	mostMinor = 1_000_000_000_000
	mostStock = 1_000_000_000_000
)

// payable refuses prices that carts could not add up.
func payable(price int64) error {
	if price > mostMinor {
		return fmt.Errorf("must be at most %d of the smallest units of the currency", int64(mostMinor))
	}
	return nil
}

// Fields of the Product.
func (Product) Fields() []ent.Field {
	return []ent.Field{
		expose.Line(expose.Length(field.String("name"), 1, 200)).
			Comment("The name.").
			Annotations(expose.By(expose.Filter, expose.Sort, expose.Search), expose.Scanned(), expose.Example("Slide rule")),
		expose.Length(field.Text("description"), 0, 10_000).Default("").
			Comment("A description of the product.").
			Annotations(expose.By(expose.Search), expose.Example("Ten inches, mahogany.")),
		expose.Line(expose.Length(field.String("category"), 1, 100)).Optional().Nillable().
			Comment("The kind of product.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Selective(), expose.Example("instruments")),
		expose.AtLeast(field.Int64("price").Validate(payable), 0).
			Comment("The price, in the product's currency.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Money("currency"), expose.Bounds("minPrice", "maxPrice"), expose.Example(19.99)),
		expose.Currency(field.String("currency")).Default("USD").
			Comment("The ISO 4217 code of the currency of the price.").
			Annotations(expose.By(expose.Filter), expose.Scanned(), expose.Example("USD")),
		expose.Range(field.Int64("stock"), 0, mostStock).Optional().Nillable().
			Comment("How many can be sold, null where that is not counted.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Scanned(), expose.Example(12)),
		field.Bool("in_stock").Default(true).
			Comment("Whether it can be ordered. It follows from the stock where that is counted.").
			Annotations(expose.Named("inStock"), expose.Positive("stock"), expose.By(expose.Filter), expose.Scanned()),
		expose.Items(field.Strings("tags"), 20, 50).Default([]string{}).
			Comment("Words to find it by. A listing filtered by several shows the products that have one of them.").
			Annotations(expose.By(expose.Filter), expose.Example([]string{"wood", "calculating"})),
		field.Int64("reviews_count").Default(0).
			Comment("How many reviews there are.").
			Annotations(expose.By(expose.Sort), expose.Scanned(), expose.CountOf("reviews", "NEW.deleted_at IS NULL")),
		field.Int64("rating_sum").Default(0).
			Comment("The sum of the ratings.").
			Annotations(expose.Internal(), expose.SumOf("reviews", "rating", "NEW.deleted_at IS NULL")),
		field.Float("rating").Optional().Nillable().
			Comment("The average rating, null while there is no review.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Scanned(), expose.MeanOf("rating_sum", "reviews_count")),
	}
}

// Mixin of the Product.
func (Product) Mixin() []ent.Mixin {
	return []ent.Mixin{Base{}, Listed{}, Versioned{}, SoftDelete{}}
}

// Edges of the Product.
func (Product) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("reviews", Review.Type).
			Comment("What buyers say about it.").
			Annotations(entsql.OnDelete(entsql.Cascade), expose.Nested(expose.List, expose.Create)),
		edge.To("pictures", ProductPicture.Type).
			Comment("The pictures that it is shown by.").
			Annotations(entsql.OnDelete(entsql.Cascade), expose.Nested(expose.List, expose.Create)),
		edge.To("order_items", OrderItem.Type).
			Comment("The lines of orders that name it.").
			Annotations(entsql.OnDelete(entsql.SetNull), expose.Hidden()),
		edge.To("cart_items", CartItem.Type).
			Comment("The carts that it is in.").
			Annotations(entsql.OnDelete(entsql.Cascade), expose.Hidden()),
	}
}

// Indexes of the Product.
func (Product) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("price", "id"),
		index.Fields("tags").Annotations(entsql.IndexType("GIN")),
	}
}

// Policy of the Product.
func (Product) Policy() ent.Policy {
	return policy.Rules{
		SoftDelete: true,
		Read:       policy.Anyone(),
		Verbs: policy.Verbs{
			policy.Create:      merchants,
			policy.Update:      merchants,
			policy.Delete:      merchants,
			policy.Remove:      admin,
			policy.Restore:     admin,
			policy.ReadDeleted: admin,
		},
	}
}

// Annotations of the Product.
func (Product) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Checks(map[string]string{
			"products_price":    "price >= 0",
			"products_stock":    "stock >= 0",
			"products_in_stock": "in_stock = (stock > 0)", // unknown, and so allowed, where stock is null
		}),
		schema.Comment("Something that is sold."),
		expose.Resource{
			Path:       "products",
			Operations: expose.CRUD(),
			Changes:    true,
			Live:       true,
			Search:     []string{"name", "description"},
			Names:      map[string]string{"created_at": "createdAt"},
			Cache:      "public, max-age=60",
			Calcs: []expose.Calc{{
				Name: "price_with", Shape: expose.Amount, Currency: "currency", Example: 17.99,
				Comment: "The price with so many percent on it, rounded to the smallest unit of the currency.",
				Input: []ent.Field{
					expose.Range(field.Int64("percent"), -100, 1000).
						Comment("How many percent: of a discount, less than 0.").
						Annotations(expose.Example(-10)),
				},
				SQL: `({row}."price" * (100 + :percent) + 50) / 100`,
			}},
			Bulk: []expose.Bulk{
				{
					Operation: expose.Create, Maximum: 1000,
					Comment: "Creates up to 1,000 products, all or none. Admins, and API keys that may write.",
					Detail:  "Where one breaks a rule nothing is made, and `details` names every failing field of every item, as in `products[3].price`.",
				},
				{
					Operation: expose.Patch, Each: true, Maximum: 1000,
					Comment: "Changes up to 1,000 products, each for itself. Admins, and API keys that may write.",
					Detail:  "An item is the `id` of a product and what changes of it, as `PATCH /products/{id}` takes it. The results are in the order of the request.",
				},
			},
		},
	}
}
