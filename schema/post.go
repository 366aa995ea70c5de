package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/entwine-go/entwine/internal/expose"
	"github.com/entwine-go/entwine/internal/policy"
	"github.com/entwine-go/entwine/internal/viewer"
)

// Post is a text that a user publishes.
type Post struct{ ent.Schema }

// Fields of the Post.
func (Post) Fields() []ent.Field {
	return []ent.Field{
		expose.Length(field.String("title"), 1, 200).
			Comment("The title.").
			Annotations(expose.By(expose.Filter, expose.Sort, expose.Search), expose.Example("On the Analytical Engine")),
		expose.Length(field.Text("content"), 1, 100_000).
			Comment("The text, in Markdown.").
			Annotations(expose.By(expose.Search), expose.Example("It can do whatever we know how to order it to perform.")),
		field.Bool("published").Default(false).
			Comment("Whether everyone can read it.").
			Annotations(expose.By(expose.Filter)),
		field.Int64("author_id").Immutable().
			Comment("The user who wrote it.").
			Annotations(expose.By(expose.Filter), expose.Caller(viewer.Admin)),
	}
}

// Mixin of the Post.
func (Post) Mixin() []ent.Mixin {
	return []ent.Mixin{Base{}, Versioned{}, SoftDelete{}}
}

// Edges of the Post.
func (Post) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("author", User.Type).Ref("posts").Field("author_id").Unique().Required().Immutable().
			Comment("The user who wrote it.").
			Annotations(expose.Through(), expose.FilterEdge()),
		edge.To("comments", Comment.Type).
			Comment("What others say about it.").
			Annotations(entsql.OnDelete(entsql.Cascade), expose.Nested(expose.List, expose.Create)),
	}
}

// Indexes of the Post.
func (Post) Indexes() []ent.Index {
	return []ent.Index{index.Fields("author_id", "created_at")}
}

// readablePost says who can read a post.
var readablePost = policy.Any(
	policy.Is("published", true),
	policy.Owner("author_id"),
	policy.Roles(viewer.Editor, viewer.Admin),
)

// Policy of the Post.
func (Post) Policy() ent.Policy {
	return policy.Rules{
		SoftDelete: true,
		Read:       readablePost,
		Verbs: policy.Verbs{
			policy.Create: policy.SignedIn(),
			policy.Update: policy.Any(policy.Owner("author_id"), admin),
			policy.Delete: policy.Any(policy.Owner("author_id"), moderators),
		},
	}
}

// Annotations of the Post.
func (Post) Annotations() []schema.Annotation {
	return []schema.Annotation{
		schema.Comment("A text that a user publishes."),
		expose.Resource{
			Path:       "posts",
			Operations: expose.CRUD(),
			Events: []expose.Topic{
				{Name: "post.published", On: "insert", When: "NEW.published"},
				{Name: "post.published", On: "update", When: "NEW.published AND NOT OLD.published"},
			},
		},
	}
}
