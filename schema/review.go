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
	"github.com/entwine-go/entwine/kit/viewer"
)

// Review is a buyer's review of a product.
type Review struct{ ent.Schema }

// Fields of the Review.
func (Review) Fields() []ent.Field {
	return []ent.Field{
		expose.Range(field.Int("rating"), 1, 5).
			Comment("How good it is, from 1 to 5.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Scanned(), expose.Example(5)),
		expose.Length(field.Text("text"), 0, 10_000).Default("").
			Comment("The text of the review.").
			Annotations(expose.Example("Exact to three digits.")),
	}
}

// Mixin of the Review.
func (Review) Mixin() []ent.Mixin {
	return []ent.Mixin{Base{}, Listed{}, Versioned{}, SoftDelete{}}
}

// Edges of the Review.
func (Review) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("product", Product.Type).Ref("reviews").Field("product_id").Unique().Required().Immutable().
			Comment("The product it is about.").
			Annotations(expose.By(expose.Filter), expose.FilterEdge(), policy.Attach(policy.Anyone())),
		edge.From("author", User.Type).Ref("reviews").Field("author_id").Unique().Required().Immutable().
			Comment("The user who said it.").
			Annotations(expose.By(expose.Filter), expose.Caller(viewer.Admin), expose.Through(), expose.FilterEdge()),
	}
}

// Indexes of the Review.
func (Review) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("product_id", "created_at", "id"),
		index.Fields("product_id", "author_id").Unique().Annotations(entsql.IndexWhere("deleted_at IS NULL")),
	}
}

// bought admits rows whose product the viewer paid for.
var bought = policy.Having("product_id", "order_items", "product_id",
	policy.Related("order_id", "orders", policy.All(
		policy.Owner("user_id"),
		policy.Any(policy.Is("status", "paid"), policy.Is("status", "partially_refunded"), policy.Is("status", "refunded")),
	)),
)

// Policy of the Review.
func (Review) Policy() ent.Policy {
	return policy.Rules{
		SoftDelete: true,
		With:       policy.With{Column: "author_id", Table: "users"},
		Read:       policy.Related("product_id", "products", alive),
		Verbs: policy.Verbs{
			policy.Create:      policy.Any(policy.All(policy.Owner("author_id"), bought), admin),
			policy.Update:      policy.Any(policy.Owner("author_id"), admin),
			policy.Delete:      policy.Any(policy.Owner("author_id"), admin),
			policy.Remove:      admin,
			policy.Restore:     admin,
			policy.ReadDeleted: admin,
		},
	}
}

// Annotations of the Review.
func (Review) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Checks(map[string]string{"reviews_rating_least": "rating >= 1", "reviews_rating_most": "rating <= 5"}),
		schema.Comment("A buyer's review of a product."),
		expose.Resource{Path: "reviews", Operations: expose.CRUD()},
	}
}
