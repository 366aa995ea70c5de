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

// Site has an id that a default makes: a UUID of version 7.
type Site struct{ ent.Schema }

func newSiteID() uuid.UUID { return uuid.Must(uuid.NewV7()) }

// Fields of the Site.
func (Site) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}).Default(newSiteID).Immutable().Comment("Its id.").Annotations(expose.By(expose.Filter)),
		expose.Line(expose.Length(field.String("name"), 1, 100)).Comment("Its name.").
			Annotations(expose.By(expose.Filter, expose.Sort, expose.Search), expose.Scanned()),
		expose.Length(field.Text("notes"), 0, 1000).Default("").Comment("What is known of it.").Annotations(expose.By(expose.Search)),
		field.Bool("closed").Default(false).Comment("Whether it is closed.").Annotations(expose.Computed()),
		expose.File(field.String("plan")).Optional().Nillable().Comment("A plan of it."),
		field.Int64("readings_count").Default(0).Comment("How much was measured there.").Annotations(expose.CountOf("readings", "")),
		field.Int64("values_sum").Default(0).Comment("What was measured there.").Annotations(expose.SumOf("readings", "value", "")),
		field.String("region_id").Comment("Where it is.").Annotations(expose.By(expose.Filter)),
		field.String("zone_id").Optional().Nillable().Comment("What it is deleted with."),
		field.UUID("main_id", uuid.UUID{}).Optional().Nillable().Comment("The site that it belongs to.").Annotations(expose.By(expose.Filter)),
	}
}

// Mixin of the Site.
func (Site) Mixin() []ent.Mixin {
	return []ent.Mixin{tables.Base{}, tables.Listed{}, tables.Versioned{}, tables.SoftDelete{}}
}

// Edges of the Site.
func (Site) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("region", Region.Type).Ref("sites").Field("region_id").Unique().Required().Comment("Where it is.").Annotations(expose.FilterEdge()),
		edge.From("zone", Zone.Type).Ref("sites").Field("zone_id").Unique().Comment("What it is deleted with."),
		edge.To("owner", User.Type).Field("owner_id").Unique().Required().Immutable().Comment("Whose it is.").
			Annotations(entsql.OnDelete(entsql.Cascade), expose.By(expose.Filter), expose.Caller("admin")),
		edge.To("branches", Site.Type).Annotations(expose.Tree(3)).From("main").Field("main_id").Unique().Comment("The site that it belongs to."),
		edge.To("readings", Reading.Type).Comment("What was measured.").
			Annotations(entsql.OnDelete(entsql.Cascade), expose.Nested(expose.List, expose.Create)),
		edge.To("badges", Badge.Type).Comment("What it has.").Annotations(expose.Attached(), expose.Nested(expose.List)),
	}
}

// Policy of the Site: its owner's alone to write.
func (Site) Policy() ent.Policy {
	mine := policy.Any(policy.Owner("owner_id"), policy.Roles("admin"))
	return policy.Rules{SoftDelete: true, With: policy.With{Column: "zone_id", Table: "zones", Keyed: true}, Read: policy.Anyone(), Verbs: policy.Verbs{
		policy.Create: mine, policy.Update: mine, policy.Delete: mine, "close": mine, "open": mine,
		policy.Restore: mine, policy.ReadDeleted: mine, policy.Remove: policy.Roles("admin"),
	}}
}

// Annotations of the Site.
func (Site) Annotations() []schema.Annotation {
	return []schema.Annotation{
		schema.Comment("A place where something is measured."),
		expose.Resource{
			Path: "sites", Operations: expose.CRUD(), Search: []string{"name", "notes"}, Changes: true, Live: true,
			Events: []expose.Topic{
				{Name: "site.made", On: "insert", Payload: []string{"name", "region_id", "main_id"}, Job: "site_made", Feeds: &expose.Subscription{
					Name: "newSite", Comment: "There is a new site.",
				}},
				{Name: "site.closed", On: "update", When: "NEW.closed <> OLD.closed", Feeds: &expose.Subscription{
					Name: "siteClosed", Argument: "id", Comment: "The site is closed, or open again.",
				}},
			},
			Actions: []expose.Action{
				{Verb: "close", Done: "closed", Else: "the site is closed already", Comment: "Closes a site.", When: policy.Is("closed", false), Set: expose.Set{"closed": true}},
				{Verb: "open", Done: "open", Else: "the site is open already", Comment: "Opens a site.", Run: expose.InTx, When: policy.Is("closed", true)},
			},
			Bulk: []expose.Bulk{
				{Operation: expose.Create, Each: true, Maximum: 10, Member: "sites", Comment: "Creates many."},
				{Operation: expose.Delete, Each: true, Maximum: 10, Member: "ids", Comment: "Deletes many."},
			},
		},
	}
}
