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

// Post is a text that a user publishes.
type Post struct{ ent.Schema }

// Fields of the Post.
func (Post) Fields() []ent.Field {
	return []ent.Field{
		expose.Line(expose.Length(field.String("title"), 1, 200)).
			Comment("The title.").
			Annotations(expose.By(expose.Filter, expose.Sort, expose.Search), expose.Scanned(), expose.Example("On the Analytical Engine")),
		expose.Length(field.Text("content"), 1, 100_000).
			Comment("The text, in Markdown.").
			Annotations(expose.By(expose.Search), expose.Example("It can do whatever we know how to order it to perform.")),
		field.Bool("published").Default(false).
			Comment("Whether the post is no longer a draft. It can be set when the post is created; publishing sets it later.").
			Annotations(expose.By(expose.Filter), expose.Selective(), expose.Initial()),
		field.Time("published_at").Optional().Nillable().
			Comment("When the post was published, null for a draft.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Scanned(), expose.Computed(), expose.Since("published")),
		field.Time("archived_at").Optional().Nillable().
			Comment("When the post was archived, null while it is not. Archived posts are read by their author, editors and admins.").
			Annotations(expose.By(expose.Filter), expose.Scanned(), expose.Computed()),
		field.Int64("likes_count").Default(0).
			Comment("How many users like the post.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Scanned(), expose.CountOf("likes", "").While("user_id")),
		field.Int64("shares_count").Default(0).
			Comment("How often the post was shared.").
			Annotations(expose.By(expose.Sort), expose.Scanned(), expose.CountOf("shares", "")),
		field.Int64("author_id").Immutable().
			Comment("The user who wrote it.").
			Annotations(expose.By(expose.Filter), expose.Caller(viewer.Admin)),
		field.Int64("category_id").Optional().Nillable().
			Comment("The category it is in, null for none.").
			Annotations(expose.By(expose.Filter)),
	}
}

// Mixin of the Post.
func (Post) Mixin() []ent.Mixin {
	return []ent.Mixin{Base{}, Listed{}, Versioned{}, SoftDelete{}}
}

// Edges of the Post.
func (Post) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("author", User.Type).Ref("posts").Field("author_id").Unique().Required().Immutable().
			Comment("The user who wrote it.").
			Annotations(expose.Through(), expose.FilterEdge()),
		edge.From("category", Category.Type).Ref("posts").Field("category_id").Unique().
			Comment("The category it is in.").
			Annotations(expose.FilterEdge(), policy.Attach(policy.Anyone())),
		edge.To("comments", Comment.Type).
			Comment("The comments of other users on it.").
			Annotations(entsql.OnDelete(entsql.Cascade), expose.Nested(expose.List, expose.Create)),
		edge.To("likes", Like.Type).
			Comment("Who likes it.").
			Annotations(entsql.OnDelete(entsql.Cascade), expose.Nested(expose.List)),
		edge.To("shares", Share.Type).
			Comment("Who shared it.").
			Annotations(entsql.OnDelete(entsql.Cascade)),
	}
}

// Indexes of the Post.
func (Post) Indexes() []ent.Index {
	return []ent.Index{
		// The feed: an author's published posts, newest first.
		index.Fields("author_id", "published_at", "id").
			Annotations(entsql.IndexWhere("published AND archived_at IS NULL AND deleted_at IS NULL")),
		// All that is published, newest first, and by whom.
		index.Fields("published_at", "id", "author_id").
			Annotations(entsql.IndexWhere("published AND archived_at IS NULL AND deleted_at IS NULL")),
	}
}

// readablePost says who can read a post.
var readablePost = policy.Any(
	policy.All(policy.Is("published", true), policy.Null("archived_at")),
	policy.Owner("author_id"),
	policy.Roles(editor, viewer.Admin),
)

// Policy of the Post.
func (Post) Policy() ent.Policy {
	return policy.Rules{
		SoftDelete: true,
		With:       policy.With{Column: "author_id", Table: "users"},
		Read:       readablePost,
		Verbs: policy.Verbs{
			policy.Create:      policy.Any(policy.Owner("author_id"), admin),
			policy.Update:      policy.Any(policy.Owner("author_id"), admin),
			"publish":          policy.Any(policy.Owner("author_id"), admin),
			"archive":          policy.Any(policy.Owner("author_id"), admin),
			policy.Delete:      policy.Any(policy.Owner("author_id"), moderators),
			policy.Remove:      admin,
			policy.Restore:     admin,
			policy.ReadDeleted: admin,
		},
	}
}

// reader is the state of a post's viewer.
type reader struct {
	Line   int64 `json:"line" comment:"The line of the content that the reader is at." example:"3"`
	Typing bool  `json:"typing" comment:"Whether the reader writes a comment." example:"true"`
}

// Annotations of the Post.
func (Post) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Checks(map[string]string{"posts_published_at": "published = (published_at IS NOT NULL)"}),
		schema.Comment("A text that a user publishes."),
		expose.Resource{
			Path:       "posts",
			Operations: expose.CRUD(),
			Derived: []expose.Derived{
				expose.Rendered(expose.Render{
					Field: "content", As: expose.Markdown, Name: "content_html", Comment: "The content as HTML, which is safe to show.",
					Example: "<p>It can do whatever we know how to order it to perform.</p>\n",
				}).Called("contentHtml"),
			},
			Changes:  true,
			Live:     true,
			Presence: expose.PresenceOf(reader{}),
			Search:   []string{"title", "content"},
			Queries: []expose.Query{
				{Name: "posts", By: "author_id", Comment: "The posts, newest first, at most 100."},
			},
			Bulk: []expose.Bulk{
				{Verb: "publish", Each: true, Maximum: 100, Comment: "Publishes up to 100 posts, each for itself.", Detail: "Each is published as `POST /posts/{id}/publish` does."},
				{Verb: "archive", Each: true, Maximum: 100, Comment: "Archives up to 100 posts, each for itself.", Detail: "Each is archived as `POST /posts/{id}/archive` does."},
				{Operation: expose.Delete, Each: true, Maximum: 100, Comment: "Deletes up to 100 posts, each for itself.", Detail: "Each is deleted as `DELETE /posts/{id}` does."},
			},
			Actions: []expose.Action{
				{
					Verb: "publish", Done: "published", Else: "the post is published already",
					Comment: "Makes a draft visible, or an archived post again. One that had been published before keeps the time of that.",
					Detail:  "Subscribers of `newPost` get an event.",
					When:    policy.Any(policy.Is("published", false), policy.Not(policy.Null("archived_at"))),
					Set:     expose.Set{"published": true, "published_at": expose.FirstNow, "archived_at": nil},
				},
				{
					Verb: "archive", Done: "archived", Else: "the post is archived already",
					Comment: "Hides a post, a draft too, from all but its author, editors and admins.",
					Detail:  "Publishing makes it visible again.",
					When:    policy.Null("archived_at"),
					Set:     expose.Set{"archived_at": expose.Now},
				},
			},
			Marks: []expose.Mark{
				{
					Verb: "like", Comment: "Likes a post. Liking it again changes nothing.", Detail: "The first time is answered with 201, any other with 200.",
					Undo: "unlike", UndoComment: "Takes the caller's liking of a post back, if there is one.",
					Entity: "Like", To: "post_id", By: "user_id", Count: "likes_count",
					Said: "liked", SaidComment: "Whether the user likes the post.",
					Viewer: "viewer_has_liked", ViewerComment: "Whether the caller likes the post.",
					Answer: "Liking", Payload: "LikePayload", AnswerComment: "The post after a like, or after its removal.",
				},
				{
					Verb: "share", Again: true, URL: true, Comment: "Counts that the caller passed a post on.", Detail: "The answer has the address to pass on.",
					Entity: "Share", To: "post_id", By: "user_id", Count: "shares_count",
					Answer: "Sharing", Payload: "SharePayload", AnswerComment: "The post after a share.",
				},
			},
			Events: []expose.Topic{
				{Name: "post.published", On: "insert", When: "NEW.published", Feeds: &expose.Subscription{
					Name: "newPost", Comment: "A post becomes visible: it is created published, or published later.",
				}},
				{Name: "post.published", On: "update", When: "NEW.published AND NEW.archived_at IS NULL AND NOT (OLD.published AND OLD.archived_at IS NULL)"},
				{Name: "post.deleted", On: "update", When: "NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL"},
				{Name: "post.deleted", On: "delete", When: "OLD.deleted_at IS NULL"},
				{Name: "post.hidden", On: "update", When: "OLD.deleted_at IS NULL AND (NEW.deleted_at IS NOT NULL OR OLD.published AND OLD.archived_at IS NULL AND NOT (NEW.published AND NEW.archived_at IS NULL))"},
				{Name: "post.hidden", On: "delete", When: "OLD.deleted_at IS NULL"},
			},
		},
	}
}
