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

// Org is a tenant.
type Org struct{ ent.Schema }

func (Org) Fields() []ent.Field {
	return []ent.Field{
		expose.Line(expose.Length(field.String("name"), 1, 100)).Comment("What it is called.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Scanned(), expose.Example("Acme")),
	}
}

func (Org) Mixin() []ent.Mixin { return []ent.Mixin{tables.Base{}, tables.Listed{}} }

func (Org) Edges() []ent.Edge {
	return []ent.Edge{edge.To("users", User.Type).Comment("Who belongs to it.")}
}

func (Org) Policy() ent.Policy {
	admin := policy.Roles("admin")
	return policy.Rules{Read: policy.Authenticated(), Verbs: policy.Verbs{policy.Create: admin, policy.Update: admin, policy.Delete: admin}}
}

func (Org) Annotations() []schema.Annotation {
	return []schema.Annotation{
		schema.Comment("A tenant."), expose.Tenant("id").Across("admin"),
		expose.Resource{Path: "orgs", Operations: expose.CRUD()},
	}
}
