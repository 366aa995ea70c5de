package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/tables"
)

// Note is something that a user wrote down.
type Note struct{ ent.Schema }

// Fields of the Note.
func (Note) Fields() []ent.Field {
	return []ent.Field{
		expose.Line(expose.Length(field.String("title"), 1, 200)).
			Comment("What it is about.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Selective(), expose.Example("Engines")),
		expose.Length(field.Text("text"), 1, 10000).
			Comment("What it says."),
		field.Enum("state").Values("draft", "kept").Default("draft").
			Comment("What becomes of it.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Scanned()),
		field.String("pin").Optional().Nillable().
			Comment("What opens it.").
			Annotations(expose.Secret()),
		expose.AtLeast(field.Int64("fee"), 0).Default(250).
			Comment("What it costs to read it.").
			Annotations(expose.Money("currency"), expose.Example(2.50)),
		expose.Currency(field.String("currency")).Default("EUR").
			Comment("The currency of the fee."),
		field.Bool("done").Default(false).
			Comment("Whether it is done with.").
			Annotations(expose.By(expose.Filter), expose.Scanned()),
		field.Int64("user_id").Optional().Nillable().
			Comment("Whose it is.").
			Annotations(expose.By(expose.Filter)),
	}
}

// Mixin of the Note.
func (Note) Mixin() []ent.Mixin {
	return []ent.Mixin{tables.Base{}, tables.Listed{}, tables.Versioned{}}
}

// Edges of the Note.
func (Note) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("user", User.Type).Ref("notes").Field("user_id").Unique().
			Comment("Whose it is."),
		edge.To("labels", Label.Type).
			Comment("What it is found by.").
			Annotations(expose.Attached(), expose.FilterEdge(), expose.Nested(expose.List)),
	}
}

// Indexes of the Note.
func (Note) Indexes() []ent.Index { return []ent.Index{index.Fields("user_id", "created_at", "id")} }

// Policy of the Note.
func (Note) Policy() ent.Policy {
	return policy.Rules{
		Read:  policy.Anyone(),
		Verbs: policy.Verbs{policy.Create: policy.Anyone(), policy.Update: policy.Anyone(), policy.Delete: policy.Anyone(), "finish": policy.Anyone()},
	}
}

// Annotations of the Note.
func (Note) Annotations() []schema.Annotation {
	return []schema.Annotation{
		schema.Comment("Something that a user wrote down."),
		expose.Resource{
			Path: "notes", Operations: expose.CRUD(),
			Actions: []expose.Action{{
				Verb: "finish", Done: "finished", Else: "the note is finished already",
				Comment: "Says that a note is done with.",
				When:    policy.Is("done", false), Set: expose.Set{"done": true},
			}},
			Events: []expose.Topic{{Name: "note.written", On: "insert", Feeds: &expose.Subscription{
				Name: "noteWritten", Comment: "A note is written.",
			}}},
		},
	}
}
