package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"github.com/google/uuid"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/tables"
)

// moored are the fields of docks, piers, boats and planks, which are deleted softly.
type moored struct{ ent.Schema }

// Fields of each.
func (moored) Fields() []ent.Field {
	return []ent.Field{expose.Length(field.String("name"), 0, 100).Default("").Comment("Its name.")}
}

// Mixin of each.
func (moored) Mixin() []ent.Mixin {
	return []ent.Mixin{tables.Base{}, tables.Listed{}, tables.SoftDelete{}}
}

func mooredRules(with policy.With) policy.Rules {
	return policy.Rules{SoftDelete: true, With: with, Read: policy.Anyone(), Verbs: policy.Verbs{
		policy.Create: policy.Anyone(), policy.Update: policy.Anyone(), policy.Delete: policy.Anyone(),
		policy.Restore: policy.Anyone(), policy.ReadDeleted: policy.Anyone(), policy.Remove: policy.Anyone(),
	}}
}

// Dock has an integer id; rows with UUIDs and with integers are deleted with it.
type Dock struct{ moored }

// Edges of the Dock.
func (Dock) Edges() []ent.Edge {
	along := []schema.Annotation{entsql.OnDelete(entsql.Cascade), expose.DeletedWith()}
	return []ent.Edge{edge.To("piers", Pier.Type).Comment("What leads to it.").Annotations(along...), edge.To("boats", Boat.Type).Comment("What is in it.").Annotations(along...)}
}

// Policy of the Dock.
func (Dock) Policy() ent.Policy { return mooredRules(policy.With{}) }

// Annotations of the Dock.
func (Dock) Annotations() []schema.Annotation {
	return []schema.Annotation{schema.Comment("Where boats are."), expose.Resource{Path: "docks", Operations: expose.CRUD()}}
}

// Pier has a UUID, and rows with integers are deleted with it.
type Pier struct{ moored }

// Hooks of the Pier.
func (Pier) Hooks() []ent.Hook { return []ent.Hook{spelled} }

// Fields of the Pier.
func (Pier) Fields() []ent.Field {
	return append(moored{}.Fields(),
		field.UUID("id", uuid.UUID{}).Default(uuid.New).Immutable().Comment("Its id."),
		field.Int64("dock_id").Optional().Nillable().Comment("Where it leads."),
	)
}

// Edges of the Pier.
func (Pier) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("dock", Dock.Type).Ref("piers").Field("dock_id").Unique().Comment("Where it leads."),
		edge.To("planks", Plank.Type).Comment("What it is made of.").Annotations(entsql.OnDelete(entsql.Cascade), expose.DeletedWith()),
	}
}

// Policy of the Pier.
func (Pier) Policy() ent.Policy {
	return mooredRules(policy.With{Column: "dock_id", Table: "docks", Keyed: true})
}

// Annotations of the Pier.
func (Pier) Annotations() []schema.Annotation {
	return []schema.Annotation{schema.Comment("Leads to docks."), expose.Resource{Path: "piers", Operations: expose.CRUD()}}
}

// Boat has an integer id.
type Boat struct{ moored }

// Edges of the Boat.
func (Boat) Edges() []ent.Edge {
	return []ent.Edge{edge.From("dock", Dock.Type).Ref("boats").Field("dock_id").Unique().Required().Comment("Where it is.")}
}

// Policy of the Boat.
func (Boat) Policy() ent.Policy {
	return mooredRules(policy.With{Column: "dock_id", Table: "docks"})
}

// Annotations of the Boat.
func (Boat) Annotations() []schema.Annotation {
	return []schema.Annotation{schema.Comment("Is in a dock."), expose.Resource{Path: "boats", Operations: expose.CRUD()}}
}

// Plank has an integer id.
type Plank struct{ moored }

// Fields of the Plank.
func (Plank) Fields() []ent.Field {
	return append(moored{}.Fields(), field.UUID("pier_id", uuid.UUID{}).Comment("Where it is."))
}

// Edges of the Plank.
func (Plank) Edges() []ent.Edge {
	return []ent.Edge{edge.From("pier", Pier.Type).Ref("planks").Field("pier_id").Unique().Required().Comment("Where it is.")}
}

// Policy of the Plank.
func (Plank) Policy() ent.Policy {
	return mooredRules(policy.With{Column: "pier_id", Table: "piers", Keyed: true})
}

// Annotations of the Plank.
func (Plank) Annotations() []schema.Annotation {
	return []schema.Annotation{schema.Comment("Is part of a pier."), expose.Resource{Path: "planks", Operations: expose.CRUD()}}
}
