package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"github.com/google/uuid"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/tables"
)

// Reading has an integer id, and leads to rows that have UUIDs and texts.
type Reading struct{ ent.Schema }

// Fields of the Reading.
func (Reading) Fields() []ent.Field {
	return []ent.Field{
		field.Int64("value").Comment("What was measured.").Annotations(expose.By(expose.Filter, expose.Sort), expose.Scanned()),
		field.UUID("site_id", uuid.UUID{}).Immutable().Comment("Where it was measured.").Annotations(expose.By(expose.Filter)),
		field.Time("closed_at").Optional().Nillable().Comment("When the site was closed.").Annotations(expose.StampWhen("site_id", "NEW.closed")),
		field.String("scale_id").Optional().Nillable().Comment("What it is measured in.").Annotations(expose.By(expose.Filter)),
	}
}

// Mixin of the Reading.
func (Reading) Mixin() []ent.Mixin {
	return []ent.Mixin{tables.Base{}, tables.Listed{}, tables.Versioned{}}
}

// Edges of the Reading.
func (Reading) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("site", Site.Type).Ref("readings").Field("site_id").Unique().Required().Immutable().Comment("Where it was measured.").
			Annotations(expose.FilterEdge()),
		edge.From("scale", Scale.Type).Ref("readings").Field("scale_id").Unique().Comment("What it is measured in."),
	}
}

// Policy of the Reading: who owns the site writes, and closed sites show none.
func (Reading) Policy() ent.Policy {
	mine := policy.Related("site_id", "sites", policy.Owner("owner_id"))
	return policy.Rules{
		Read:  policy.Any(mine, policy.Related("site_id", "sites", policy.Is("closed", false))),
		Verbs: policy.Verbs{policy.Create: mine, policy.Update: mine, policy.Delete: mine},
	}
}

// Annotations of the Reading.
func (Reading) Annotations() []schema.Annotation {
	return []schema.Annotation{schema.Comment("What was measured."), expose.Resource{
		Path: "readings", Operations: expose.CRUD(),
		Events: []expose.Topic{
			{Name: "reading.made", On: "insert", Key: "site_id", Payload: []string{"site_id", "scale_id"}, Feeds: &expose.Subscription{
				Name: "newReading", Argument: "siteId", Comment: "Something was measured at the site.",
			}},
			{Name: "reading.scaled", On: "insert", When: "NEW.scale_id IS NOT NULL", Key: "scale_id", Feeds: &expose.Subscription{
				Name: "newOfScale", Argument: "scaleId", Comment: "Something was measured in the scale.",
			}},
		},
	}}
}
