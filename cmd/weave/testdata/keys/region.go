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

// Region has an id that its client gives.
type Region struct{ ent.Schema }

// Fields of the Region.
func (Region) Fields() []ent.Field {
	return []ent.Field{
		field.String("id").MaxLen(40).Immutable().Comment("Its code."),
		expose.Line(expose.Length(field.String("name").StorageKey("called"), 1, 100)).Comment("Its name.").
			Annotations(expose.By(expose.Filter, expose.Sort, expose.Search), expose.UniqueFold(), expose.Scanned()),
		field.Int64("sites_count").Default(0).Comment("How many sites there are.").Annotations(expose.CountOf("sites", "NEW.deleted_at IS NULL")),
		field.Int64("gauges_count").Default(0).Comment("How many gauges there are.").Annotations(expose.CountOf("gauges", "")),
	}
}

// Mixin of the Region.
func (Region) Mixin() []ent.Mixin {
	return []ent.Mixin{tables.Base{}, tables.Listed{}}
}

// Edges of the Region.
func (Region) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("sites", Site.Type).Comment("What is there.").Annotations(expose.Nested(expose.List)),
		edge.To("gauges", Gauge.Type).Comment("What measures there.").Annotations(expose.Nested(expose.List)),
	}
}

// Policy of the Region.
func (Region) Policy() ent.Policy {
	return policy.Rules{Read: policy.Anyone(), Verbs: policy.Verbs{
		policy.Create: policy.Anyone(), policy.Update: policy.Anyone(), policy.Delete: policy.Anyone(),
	}}
}

// Annotations of the Region.
func (Region) Annotations() []schema.Annotation {
	return []schema.Annotation{schema.Comment("A part of the world."), expose.Resource{
		Path: "regions", Operations: expose.CRUD(), Search: []string{"name"}, Changes: true, Live: true,
		Events: []expose.Topic{{Name: "region.renamed", On: "update", When: "NEW.called <> OLD.called", Feeds: &expose.Subscription{
			Name: "regionRenamed", Argument: "id", Comment: "The region has another name.",
		}}},
	}}
}

// Zone has sites that are deleted and restored with it.
type Zone struct{ ent.Schema }

// Fields of the Zone.
func (Zone) Fields() []ent.Field {
	return []ent.Field{
		field.String("id").MaxLen(40).Immutable().Comment("Its code."),
		expose.Line(expose.Length(field.String("name"), 1, 100)).Comment("Its name."),
	}
}

// Mixin of the Zone.
func (Zone) Mixin() []ent.Mixin {
	return []ent.Mixin{tables.Base{}, tables.Listed{}, tables.SoftDelete{}}
}

// Edges of the Zone.
func (Zone) Edges() []ent.Edge {
	return []ent.Edge{edge.To("sites", Site.Type).Comment("What is there.").Annotations(expose.DeletedWith())}
}

// Policy of the Zone.
func (Zone) Policy() ent.Policy {
	return policy.Rules{SoftDelete: true, Read: policy.Anyone(), Verbs: policy.Verbs{
		policy.Create: policy.Anyone(), policy.Update: policy.Anyone(), policy.Delete: policy.Anyone(),
		policy.Restore: policy.Anyone(), policy.ReadDeleted: policy.Anyone(), policy.Remove: policy.Anyone(),
	}}
}

// Annotations of the Zone.
func (Zone) Annotations() []schema.Annotation {
	return []schema.Annotation{schema.Comment("What sites are deleted with."), expose.Resource{Path: "zones", Operations: expose.CRUD()}}
}
