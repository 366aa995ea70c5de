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

// watched has the fields of gauges and buoys besides their keys.
type watched struct{ ent.Schema }

// Fields of each.
func (watched) Fields() []ent.Field {
	return []ent.Field{
		expose.Line(expose.Length(field.String("name"), 1, 100)).Comment("Its name.").
			Annotations(expose.By(expose.Filter, expose.Sort, expose.Search), expose.Scanned()),
		field.Time("updated_at").Default(tables.Now).UpdateDefault(tables.Now).Comment("When it was last changed, in UTC.").Annotations(expose.Computed()),
		field.Bool("broken").Default(false).Comment("Whether it is broken.").Annotations(expose.Computed()),
	}
}

// Mixin of each.
func (watched) Mixin() []ent.Mixin {
	return []ent.Mixin{tables.Versioned{}}
}

// Policy of each.
func (watched) Policy() ent.Policy {
	return policy.Rules{Read: policy.Anyone(), Verbs: policy.Verbs{
		policy.Create: policy.Anyone(), policy.Update: policy.Anyone(), policy.Delete: policy.Anyone(), "break": policy.Anyone(),
	}}
}

// watchedBy is the API of each, by the name of one and of many.
func watchedBy(one, path, title string) expose.Resource {
	return expose.Resource{
		Path: path, Operations: expose.CRUD(), Sort: "id", Search: []string{"name"}, Changes: true, Live: true,
		Events: []expose.Topic{
			{Name: one + ".made", On: "insert", Feeds: &expose.Subscription{Name: "new" + title, Comment: "There is a new one."}},
			{Name: one + ".broken", On: "update", When: "NEW.broken <> OLD.broken", Feeds: &expose.Subscription{Name: one + "Broken", Argument: "id", Comment: "It is broken."}},
		},
		Actions: []expose.Action{
			{Verb: "break", Done: "broken", Else: "it is broken already", Comment: "Says that it is broken.", When: policy.Is("broken", false), Set: expose.Set{"broken": true}},
		},
		Bulk: []expose.Bulk{
			{Operation: expose.Create, Each: true, Maximum: 10, Comment: "Creates many."},
			{Operation: expose.Patch, Each: true, Maximum: 10, Comment: "Changes many."},
			{Operation: expose.Delete, Each: true, Maximum: 10, Comment: "Deletes many."},
			{Verb: "break", Each: true, Maximum: 10, Comment: "Says of many that they are broken."},
		},
	}
}

// Gauge has the key of a region and a text together.
type Gauge struct{ watched }

// Fields of the Gauge.
func (Gauge) Fields() []ent.Field {
	return append(watched{}.Fields(),
		field.String("region_id").Immutable().Comment("Where it is.").Annotations(expose.By(expose.Filter)),
		expose.Length(field.String("code"), 1, 40).Immutable().Comment("Its code there."),
	)
}

// Edges of the Gauge.
func (Gauge) Edges() []ent.Edge {
	return []ent.Edge{edge.From("region", Region.Type).Ref("gauges").Field("region_id").Unique().Required().Immutable().Comment("Where it is.")}
}

// Annotations of the Gauge.
func (Gauge) Annotations() []schema.Annotation {
	return []schema.Annotation{schema.Comment("What measures."), field.ID("region_id", "code"), watchedBy("gauge", "gauges", "Gauge")}
}

// Buoy has an integer id in a column of another name.
type Buoy struct{ watched }

// Fields of the Buoy.
func (Buoy) Fields() []ent.Field {
	return append(watched{}.Fields(), field.Int64("id").StorageKey("buoy_nr").Immutable().Comment("Its number.").Annotations(expose.By(expose.Filter, expose.Sort)))
}

// Annotations of the Buoy.
func (Buoy) Annotations() []schema.Annotation {
	return []schema.Annotation{schema.Comment("Floats."), watchedBy("buoy", "buoys", "Buoy")}
}
