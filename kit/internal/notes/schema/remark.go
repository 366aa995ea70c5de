package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/tables"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Remark is a user's remark on a note.
type Remark struct{ ent.Schema }

// Fields of the Remark.
func (Remark) Fields() []ent.Field {
	return []ent.Field{
		expose.Length(field.Text("text"), 1, 10_000).Comment("The text of the remark.").Annotations(expose.Example("They do.")),
	}
}

// Mixin of the Remark.
func (Remark) Mixin() []ent.Mixin {
	return []ent.Mixin{tables.Base{}, tables.Listed{}, tables.Versioned{}, tables.SoftDelete{}}
}

// Edges of the Remark.
func (Remark) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("note", Note.Type).Ref("remarks").Field("note_id").Unique().Required().Immutable().
			Comment("The note it is about.").Annotations(expose.By(expose.Filter), expose.FilterEdge(), policy.Attach(policy.Anyone())),
		edge.From("user", User.Type).Ref("remarks").Field("user_id").Unique().Required().Immutable().
			Comment("The user who said it.").Annotations(expose.By(expose.Filter), expose.Caller(viewer.Admin), expose.Through(), expose.FilterEdge()),
	}
}

// Policy of the Remark: callers who can read the note can read what is said of it.
func (Remark) Policy() ent.Policy {
	return policy.Rules{
		SoftDelete: true,
		With:       policy.With{Column: "user_id", Table: "users"},
		Read:       policy.Through("note_id", "notes", Note{}),
		Verbs: policy.Verbs{
			policy.Create: policy.Any(mine, admin), policy.Update: policy.Any(mine, admin), policy.Delete: policy.Any(mine, moderators),
			policy.Remove: admin, policy.Restore: admin, policy.ReadDeleted: admin,
		},
	}
}

// Annotations of the Remark.
func (Remark) Annotations() []schema.Annotation {
	return []schema.Annotation{
		schema.Comment("What a user says of a note."),
		expose.Resource{
			Path: "remarks", Operations: expose.CRUD(),
			Events: []expose.Topic{
				{Name: "remark.made", On: "insert", Key: "note_id", Feeds: &expose.Subscription{Name: "remarkMade", Argument: "noteId", Comment: "A remark is made on a note."}},
				{Name: "remark.removed", On: "update", Key: "note_id", When: "NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL"},
				{Name: "remark.removed", On: "delete", Key: "note_id", When: "OLD.deleted_at IS NULL"},
			},
		},
	}
}
