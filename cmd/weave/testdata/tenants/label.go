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

// Label marks notes of an org.
type Label struct{ ent.Schema }

func (Label) Fields() []ent.Field {
	return []ent.Field{
		expose.Line(expose.Length(field.String("name"), 1, 50)).Comment("What it says.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.UniqueFold(), expose.Scanned(), expose.Example("urgent")),
		field.Int64("org_id").Immutable().Comment("Whose tenant's it is."),
	}
}

func (Label) Mixin() []ent.Mixin { return []ent.Mixin{tables.Base{}, tables.Listed{}} }

func (Label) Edges() []ent.Edge {
	return []ent.Edge{edge.From("notes", Note.Type).Ref("labels").Comment("What is marked so.").Annotations(expose.Attached())}
}

func (Label) Policy() ent.Policy {
	return policy.Rules{Read: policy.Anyone(), Verbs: policy.Verbs{
		policy.Create: policy.SignedIn(), policy.Update: policy.SignedIn(), policy.Delete: policy.SignedIn(),
	}}
}

func (Label) Annotations() []schema.Annotation {
	return []schema.Annotation{
		schema.Comment("What marks notes."), expose.Tenant("org_id"),
		expose.Resource{Path: "labels", Operations: expose.CRUD()},
	}
}
