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
	"github.com/entwine-go/entwine/kit/tables"
)

// Note is something that a user wrote down: all of the org read it.
type Note struct{ ent.Schema }

func (Note) Fields() []ent.Field {
	return []ent.Field{
		expose.Line(expose.Length(field.String("title"), 1, 200)).Comment("What it is about.").
			Annotations(expose.By(expose.Filter, expose.Sort, expose.Search), expose.Selective(), expose.Example("Engines")),
		expose.Length(field.Text("text"), 1, 10000).Comment("What it says.").Annotations(expose.By(expose.Search)),
		expose.Slug(field.String("slug")).Unique().Comment("What it is called in paths.").
			Annotations(expose.By(expose.Filter), expose.Example("engines")),
		field.Bool("done").Default(false).Comment("Whether it is done with.").
			Annotations(expose.By(expose.Filter), expose.Scanned()),
		field.Int64("user_id").Immutable().Comment("Whose it is.").
			Annotations(expose.By(expose.Filter), expose.Caller("editor", "admin")),
		field.Int64("parent_id").Optional().Nillable().Comment("The note that it is below, null for none.").
			Annotations(expose.By(expose.Filter)),
		field.Int64("org_id").Immutable().Comment("Whose tenant's it is."),
	}
}

func (Note) Mixin() []ent.Mixin {
	return []ent.Mixin{tables.Base{}, tables.Listed{}, tables.Versioned{}, tables.SoftDelete{}}
}

func (Note) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("user", User.Type).Ref("notes").Field("user_id").Unique().Required().Immutable().Comment("Whose it is.").
			Annotations(expose.FilterEdge()),
		edge.To("org", Org.Type).Field("org_id").Unique().Required().Immutable().Comment("Whose tenant's it is.").
			Annotations(entsql.OnDelete(entsql.Cascade)),
		edge.To("children", Note.Type).Comment("The notes below it.").
			Annotations(entsql.OnDelete(entsql.SetNull), expose.Nested(expose.List), expose.Tree(4)),
		edge.From("parent", Note.Type).Ref("children").Field("parent_id").Unique().Comment("The note that it is below."),
		edge.To("remarks", Remark.Type).Comment("What is said of it.").
			Annotations(entsql.OnDelete(entsql.Cascade), expose.DeletedWith(), expose.Nested(expose.List)),
		edge.To("labels", Label.Type).Comment("How it is marked.").
			Annotations(expose.Attached(), expose.FilterEdge(), expose.Nested(expose.List)),
	}
}

func (Note) Indexes() []ent.Index { return []ent.Index{index.Fields("user_id", "created_at", "id")} }

// Policy of the Note: those of an org read all of its notes, and say that notes are
// done with if there is another.
func (Note) Policy() ent.Policy {
	mine := policy.Any(policy.Owner("user_id"), policy.Roles("editor", "admin"))
	return policy.Rules{
		SoftDelete: true,
		Read:       policy.Authenticated(),
		Verbs: policy.Verbs{
			policy.Create: policy.Any(mine, policy.Key("write")), policy.Update: mine, policy.Delete: mine, policy.Restore: mine, policy.Remove: mine, policy.ReadDeleted: mine,
			"move":   mine,
			"finish": policy.All(mine, policy.Another("notes", policy.Null("deleted_at"))),
		},
	}
}

func (Note) Annotations() []schema.Annotation {
	finish := expose.Action{
		Verb: "finish", Done: "finished", Else: "the note is finished already", Comment: "Says that a note is done with.",
		When: policy.Is("done", false), Set: expose.Set{"done": true},
	}
	move := expose.Action{
		Verb: "move", Done: "moved", Comment: "Puts a note below another.", Set: expose.Set{"parent_id": expose.Input("below")},
		Input: []ent.Field{field.Int64("below").Optional().Nillable().Comment("The note that it is below then, null for none.").Annotations(expose.Refers("Note"))},
	}
	written := &expose.Subscription{Name: "noteWritten", Comment: "A note is written."}
	return []schema.Annotation{
		schema.Comment("Something that a user wrote down."), expose.Tenant("org_id").Across("admin"),
		expose.Resource{
			Path: "notes", Operations: expose.CRUD(), Actions: []expose.Action{finish, move}, Search: []string{"title", "text"},
			Events: []expose.Topic{{Name: "note.written", On: "insert", Feeds: written}, {Name: "note.finished", On: "update", When: "NEW.done AND NOT OLD.done", Job: "finished"}},
			Calcs: []expose.Calc{{
				Name: "length_with", Shape: expose.Count, Example: 9, Comment: "How long the title is with so many letters more.",
				Input: []ent.Field{expose.Range(field.Int("more"), 0, 100).Comment("How many more.")},
				SQL:   `length({row}."title") + :more`,
			}},
			Bulk: []expose.Bulk{{Operation: expose.Create, Maximum: 10, Comment: "Makes notes."}, {Operation: expose.Delete, Each: true, Maximum: 10, Comment: "Deletes notes."}},
		},
	}
}
