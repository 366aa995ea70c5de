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

// Category groups posts by what they are about.
type Category struct{ ent.Schema }

// Fields of the Category.
func (Category) Fields() []ent.Field {
	return []ent.Field{
		expose.Slug(field.String("name")).
			Comment("The name, unique and as it stands in paths.").
			Annotations(expose.By(expose.Filter, expose.Sort, expose.Search), expose.Scanned(), expose.Example("computing-history")),
		expose.Line(expose.Length(field.String("title"), 1, 100)).Optional().Nillable().
			Comment("The name as people read it.").
			Annotations(expose.By(expose.Sort), expose.Scanned(), expose.Example("History of computing")),
		expose.Length(field.Text("description"), 0, 2_000).Optional().Nillable().
			Comment("What its posts are about.").
			Annotations(expose.Example("Machines before there were computers.")),
		field.Int64("posts_count").Default(0).
			Comment("How many published posts are in it.").
			Annotations(expose.By(expose.Sort), expose.Scanned(), expose.CountOf("posts", "NEW.published AND NEW.archived_at IS NULL AND NEW.deleted_at IS NULL")),
	}
}

// Mixin of the Category.
func (Category) Mixin() []ent.Mixin {
	return []ent.Mixin{Base{}, Listed{}, Versioned{}, SoftDelete{}}
}

// Edges of the Category.
func (Category) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("posts", Post.Type).
			Comment("The posts in it.").
			Annotations(entsql.OnDelete(entsql.SetNull), expose.Nested(expose.List)),
	}
}

// Indexes of the Category.
func (Category) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("name").Unique().Annotations(entsql.IndexWhere("deleted_at IS NULL")),
	}
}

// Policy of the Category.
func (Category) Policy() ent.Policy {
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

// Annotations of the Category.
func (Category) Annotations() []schema.Annotation {
	return []schema.Annotation{
		schema.Comment("A group of posts by their subject."),
		expose.Resource{
			Path:       "categories",
			Key:        "name",
			Operations: expose.CRUD(),
			Changes:    true,
			Cache:      "public, max-age=60",
		},
	}
}
