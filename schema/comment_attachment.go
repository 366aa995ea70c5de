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

// CommentAttachment is one of the files that a comment is sent with.
type CommentAttachment struct{ ent.Schema }

// Fields of the CommentAttachment.
func (CommentAttachment) Fields() []ent.Field {
	return []ent.Field{
		expose.File(field.String("file")).Optional().Nillable().
			Comment("The address of the file, which was uploaded for it.").
			Annotations(expose.Example("/api/files/wvlz4obqhu3xkmyncdtf5rgjse")),
		expose.Line(expose.Length(field.String("caption"), 0, 500)).Default("").
			Comment("A description of the file's content. It is empty for a file that needs none.").
			Annotations(expose.Example("The table of Note G.")),
		expose.Range(field.Int("position"), 0, 10_000).Default(0).
			Comment("Where it comes among the attachments of the comment: the lowest is first.").
			Annotations(expose.By(expose.Sort), expose.Scanned(), expose.Example(1)),
	}
}

// Mixin of the CommentAttachment.
func (CommentAttachment) Mixin() []ent.Mixin {
	return []ent.Mixin{Base{}, Listed{}, Versioned{}}
}

// Edges of the CommentAttachment.
func (CommentAttachment) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("comment", Comment.Type).Ref("attachments").Field("comment_id").Unique().Required().Immutable().
			Comment("The comment that it belongs to.").
			Annotations(expose.By(expose.Filter)),
	}
}

// Indexes of the CommentAttachment.
func (CommentAttachment) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("position", "id"),
		index.Fields("comment_id", "position", "id"),
	}
}

// Policy of the CommentAttachment: those who read the comment see it, and so they do its
// file. The author of the comment adds and changes it, and moderators remove it.
func (CommentAttachment) Policy() ent.Policy {
	author := policy.Related("comment_id", "comments", policy.Owner("author_id"))
	return policy.Rules{
		Read: policy.Through("comment_id", "comments", Comment{}),
		Verbs: policy.Verbs{
			policy.Create: policy.Any(author, admin),
			policy.Update: policy.Any(author, admin),
			policy.Delete: policy.Any(author, moderators),
		},
	}
}

// Annotations of the CommentAttachment.
func (CommentAttachment) Annotations() []schema.Annotation {
	return []schema.Annotation{
		schema.Comment("One of the files that a comment is sent with."),
		expose.Resource{Path: "comment-attachments", Operations: expose.CRUD(), Sort: "position"},
	}
}
