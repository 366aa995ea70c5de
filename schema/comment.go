package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Comment is a user's comment on a post.
type Comment struct{ ent.Schema }

// Fields of the Comment.
func (Comment) Fields() []ent.Field {
	return []ent.Field{
		expose.Length(field.Text("text"), 1, 10_000).
			Comment("The text of the comment.").
			Annotations(expose.Example("I could not agree more.")),
	}
}

// Mixin of the Comment.
func (Comment) Mixin() []ent.Mixin {
	return []ent.Mixin{Base{}, Listed{}, Versioned{}, SoftDelete{}}
}

// Edges of the Comment.
func (Comment) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("post", Post.Type).Ref("comments").Field("post_id").Unique().Required().Immutable().
			Comment("The post it is about.").
			Annotations(expose.By(expose.Filter), expose.FilterEdge(), policy.Attach(policy.Anyone())),
		edge.From("author", User.Type).Ref("comments").Field("author_id").Unique().Required().Immutable().
			Comment("The user who said it.").
			Annotations(expose.By(expose.Filter), expose.Caller(viewer.Admin), expose.AlsoSent("author"), expose.Through(), expose.FilterEdge()),
		edge.To("attachments", CommentAttachment.Type).
			Comment("The files that it is sent with.").
			Annotations(entsql.OnDelete(entsql.Cascade), expose.Nested(expose.List, expose.Create)),
	}
}

// Policy of the Comment: viewers who can read the post can read its comments.
func (Comment) Policy() ent.Policy {
	return policy.Rules{
		SoftDelete: true,
		With:       policy.With{Column: "author_id", Table: "users"},
		Read:       policy.Through("post_id", "posts", Post{}),
		Verbs: policy.Verbs{
			policy.Create:      policy.Any(policy.Owner("author_id"), admin),
			policy.Update:      policy.Any(policy.Owner("author_id"), admin),
			policy.Delete:      policy.Any(policy.Owner("author_id"), moderators),
			policy.Remove:      admin,
			policy.Restore:     admin,
			policy.ReadDeleted: admin,
		},
	}
}

// Annotations of the Comment.
func (Comment) Annotations() []schema.Annotation {
	return []schema.Annotation{
		schema.Comment("A user's comment on a post."),
		expose.Resource{
			Path:       "comments",
			Operations: expose.CRUD(),
			Live:       true,
			Events: []expose.Topic{
				{Name: "comment.created", On: "insert", Key: "post_id", Feeds: &expose.Subscription{
					Name: "newComment", Argument: "postId", Gone: "post.hidden",
					Comment: "A comment is added to a post. The stream ends when the caller can't read the\n" +
						"post any more: it is deleted or archived.",
				}},
				{Name: "comment.deleted", On: "update", Key: "post_id", When: "NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL"},
				{Name: "comment.deleted", On: "delete", Key: "post_id", When: "OLD.deleted_at IS NULL"},
			},
		},
	}
}
