package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/tables"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Note is a text that a user wrote down.
type Note struct{ ent.Schema }

// Fields of the Note.
func (Note) Fields() []ent.Field {
	return []ent.Field{
		expose.Line(expose.Length(field.String("title"), 1, 200)).Comment("The subject in a few words.").
			Annotations(expose.By(expose.Filter, expose.Sort, expose.Search), expose.Scanned(), expose.Example("On Engines")),
		expose.Length(field.Text("text"), 1, 10_000).Comment("The text of the note.").
			Annotations(expose.By(expose.Search), expose.Example("They weave.")),
		field.Bool("published").Default(false).Comment("Whether others can read it.").
			Annotations(expose.By(expose.Filter), expose.Scanned(), expose.Initial()),
		field.Int64("remarks_count").Default(0).Comment("How many remarks there are on it.").
			Annotations(expose.By(expose.Sort), expose.Scanned(), expose.CountOf("remarks", "NEW.deleted_at IS NULL")),
	}
}

// Mixin of the Note.
func (Note) Mixin() []ent.Mixin {
	return []ent.Mixin{tables.Base{}, tables.Listed{}, tables.Versioned{}, tables.SoftDelete{}}
}

// Edges of the Note.
func (Note) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("user", User.Type).Ref("notes").Field("user_id").Unique().Required().Immutable().
			Comment("The user who wrote it.").Annotations(expose.By(expose.Filter), expose.Caller(viewer.Admin), expose.Through(), expose.FilterEdge()),
		edge.To("remarks", Remark.Type).Comment("Remarks about the note.").
			Annotations(entsql.OnDelete(entsql.Cascade), expose.Nested(expose.List, expose.Create)),
	}
}

// Policy of the Note: a draft is its author's.
func (Note) Policy() ent.Policy {
	return policy.Rules{
		SoftDelete: true,
		With:       policy.With{Column: "user_id", Table: "users"},
		Read:       policy.Any(policy.Is("published", true), mine, admin),
		Verbs: policy.Verbs{
			policy.Create: policy.Any(mine, admin), policy.Update: policy.Any(mine, admin), policy.Delete: policy.Any(mine, moderators),
			policy.Remove: admin, policy.Restore: admin, policy.ReadDeleted: admin, "publish": policy.Any(mine, admin),
		},
	}
}

// Annotations of the Note.
func (Note) Annotations() []schema.Annotation {
	publish := expose.Action{
		Verb: "publish", Done: "published", Else: "the note is published already", Comment: "Lets others read a note.",
		When: policy.Is("published", false), Set: expose.Set{"published": true},
	}
	return []schema.Annotation{
		schema.Comment("A text that a user wrote down."),
		expose.Resource{
			Path: "notes", Operations: expose.CRUD(), Search: []string{"title", "text"}, Actions: []expose.Action{publish},
			Events: []expose.Topic{{Name: "note.written", On: "insert", Feeds: &expose.Subscription{Name: "noteWritten", Comment: "A note is written."}}},
		},
	}
}

// Rules that notes and remarks share.
var (
	mine       = policy.Owner("user_id")
	admin      = policy.Roles(viewer.Admin)
	moderators = policy.Roles(viewer.Admin, "moderator")
)
