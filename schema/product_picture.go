package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
)

// ProductPicture is one of the pictures that a product is shown by.
type ProductPicture struct{ ent.Schema }

// Fields of the ProductPicture.
func (ProductPicture) Fields() []ent.Field {
	return []ent.Field{
		expose.File(field.String("image"), expose.Image, expose.Measured,
			expose.Variants(expose.Variant{Name: "small", Width: 160, Height: 160}, expose.Variant{Name: "large", Width: 1200, Height: 1200})).Optional().Nillable().
			Comment("The address of the picture, which was uploaded for it.").
			Annotations(expose.Example("/api/files/wvlz4obqhu3xkmyncdtf5rgjse")),
		expose.Line(expose.Length(field.String("alt"), 0, 500)).Default("").
			Comment("A description of the picture for people who can't see it. It is empty for a picture that is decoration.").
			Annotations(expose.Example("A slide rule of mahogany on a desk.")),
		expose.Range(field.Int("position"), 0, 10_000).Default(0).
			Comment("Where it comes among the pictures of the product: the lowest is first.").
			Annotations(expose.By(expose.Sort), expose.Scanned(), expose.Example(1)),
	}
}

// Mixin of the ProductPicture.
func (ProductPicture) Mixin() []ent.Mixin {
	return []ent.Mixin{Base{}, Listed{}, Versioned{}}
}

// Edges of the ProductPicture.
func (ProductPicture) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("product", Product.Type).Ref("pictures").Field("product_id").Unique().Required().Immutable().
			Comment("The product that it shows.").
			Annotations(expose.By(expose.Filter)),
	}
}

// Indexes of the ProductPicture.
func (ProductPicture) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("position", "id"),
		index.Fields("product_id", "position", "id"),
	}
}

// Policy of the ProductPicture: those who read the product see it, and so they do its file.
func (ProductPicture) Policy() ent.Policy {
	return policy.Rules{
		Read: policy.Related("product_id", "products", alive),
		Verbs: policy.Verbs{
			policy.Create: merchants,
			policy.Update: merchants,
			policy.Delete: merchants,
		},
	}
}

// Annotations of the ProductPicture.
func (ProductPicture) Annotations() []schema.Annotation {
	return []schema.Annotation{
		schema.Comment("One of the pictures that a product is shown by."),
		expose.Resource{Path: "product-pictures", Operations: expose.CRUD(), Sort: "position", Cache: "public, max-age=60"},
	}
}
