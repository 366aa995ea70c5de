package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/tables"
)

// Label marks notes, which are found by it.
type Label struct{ ent.Schema }

// Fields of the Label.
func (Label) Fields() []ent.Field {
	return []ent.Field{
		expose.Length(field.String("name"), 1, 30).Comment("The name.").Annotations(expose.By(expose.Filter, expose.Sort), expose.Scanned()),
		field.String("code").Optional().Nillable().Unique().Comment("A code."),
	}
}

// Mixin of the Label.
func (Label) Mixin() []ent.Mixin { return []ent.Mixin{tables.Base{}, tables.Listed{}} }

// Edges of the Label.
func (Label) Edges() []ent.Edge {
	return []ent.Edge{edge.From("notes", Note.Type).Ref("labels").Comment("What has it.")}
}

// Policy of the Label.
func (Label) Policy() ent.Policy {
	return policy.Rules{Read: policy.Anyone(), Verbs: policy.Verbs{policy.Create: policy.Anyone(), policy.Update: policy.Anyone(), policy.Delete: policy.Anyone()}}
}

// Annotations of the Label.
func (Label) Annotations() []schema.Annotation {
	return []schema.Annotation{schema.Comment("What notes are found by."), expose.Resource{Path: "labels", Operations: expose.CRUD()}}
}
