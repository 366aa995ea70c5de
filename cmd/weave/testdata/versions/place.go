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

// Place is where notes are written.
type Place struct{ ent.Schema }

// Fields of the Place.
func (Place) Fields() []ent.Field { return []ent.Field{field.String("name").Comment("The name.")} }

// Mixin of the Place.
func (Place) Mixin() []ent.Mixin { return []ent.Mixin{tables.Base{}, tables.Listed{}} }

// Edges of the Place.
func (Place) Edges() []ent.Edge {
	return []ent.Edge{edge.To("notes", Note.Type).Comment("What is written there.")}
}

// Policy of the Place.
func (Place) Policy() ent.Policy {
	return policy.Rules{Read: policy.Anyone(), Verbs: policy.Verbs{policy.Create: policy.Anyone(), policy.Update: policy.Anyone(), policy.Delete: policy.Anyone()}}
}

// Annotations of the Place.
func (Place) Annotations() []schema.Annotation {
	return []schema.Annotation{schema.Comment("Where notes are written."), expose.Resource{Path: "places", Operations: expose.CRUD()}}
}
