package main

import (
	"fmt"
	"strings"
)

// thing is the schema of the entity with the number: the kinds of fields that
// services have, a filter, sorts, an edge to the entity before it, an action and a
// subscription.
func thing(i, last int) string {
	edges, parent, indexes := "", "", ""
	if i > 1 {
		parent = "\t\tfield.Int64(\"parent_id\").Optional().Nillable().Comment(\"What it belongs to.\").Annotations(expose.By(expose.Filter)),\n"
		edges = fmt.Sprintf("\t\tedge.From(\"parent\", Thing%s.Type).Ref(\"parts\").Field(\"parent_id\").Unique().Comment(\"What it belongs to.\"),\n", letters(i-1))
		indexes = ", index.Fields(\"parent_id\", \"created_at\", \"id\")"
	}
	if i < last {
		edges += fmt.Sprintf("\t\tedge.To(\"parts\", Thing%s.Type).Comment(\"What belongs to it.\").Annotations(expose.Nested(expose.List)),\n", letters(i+1))
	}
	return strings.NewReplacer("ThingN", "Thing"+letters(i), "thingsN", "things"+letters(i),
		"thingN", "thing"+letters(i), "PARENT\n", parent, "EDGES\n", edges, "INDEXES", indexes).Replace(schemaOfThing)
}

// letters is the number in words of events, which have no digits.
func letters(i int) string { return string(rune('a'+i/26)) + string(rune('a'+i%26)) }

const schemaOfThing = `package schema

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

// ThingN is one of many.
type ThingN struct{ ent.Schema }

func (ThingN) Fields() []ent.Field {
	return []ent.Field{
		expose.Line(expose.Length(field.String("name"), 1, 200)).Comment("Its name.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Selective(), expose.Example("Engines")),
		expose.Length(field.Text("about"), 1, 10000).Optional().Nillable().Comment("A description of the thing."),
		field.Enum("state").Values("open", "closed").Default("open").Comment("How it stands.").Annotations(expose.By(expose.Filter), expose.Scanned(), expose.Computed()),
		expose.Range(field.Int("size"), 0, 1000000).Default(0).Comment("How large it is.").Annotations(expose.By(expose.Sort), expose.Scanned()),
		field.Float("weight").Optional().Nillable().Comment("The weight in kilograms."),
		field.Time("due_at").Optional().Nillable().Comment("When it is due.").Annotations(expose.By(expose.Sort)),
PARENT
	}
}

func (ThingN) Mixin() []ent.Mixin { return []ent.Mixin{tables.Base{}, tables.Listed{}, tables.Versioned{}} }

func (ThingN) Edges() []ent.Edge {
	return []ent.Edge{
EDGES
	}
}

func (ThingN) Indexes() []ent.Index { return []ent.Index{index.Fields("due_at", "id")INDEXES} }

func (ThingN) Policy() ent.Policy {
	anyone := policy.Anyone()
	return policy.Rules{Read: anyone, Verbs: policy.Verbs{policy.Create: anyone, policy.Update: anyone, policy.Delete: anyone, "close": anyone}}
}

func (ThingN) Annotations() []schema.Annotation {
	return []schema.Annotation{schema.Comment("One of many."), expose.Resource{
		Path: "thingsN", Operations: expose.CRUD(),
		Actions: []expose.Action{{
			Verb: "close", Done: "closed", Else: "it is closed already", Comment: "Closes it.",
			When: policy.Is("state", "open"), Set: expose.Set{"state": "closed"},
		}},
		Events: []expose.Topic{{Name: "thingN.added", On: "insert", Feeds: &expose.Subscription{Name: "thingNAdded", Comment: "There is one more."}}},
	}}
}
`
