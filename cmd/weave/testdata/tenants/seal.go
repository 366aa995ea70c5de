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

// Seal is on notes of an org, and has an id that is no integer.
type Seal struct{ ent.Schema }

func (Seal) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}).Default(uuid.New).Immutable().Comment("Its id."),
		expose.Line(expose.Length(field.String("name"), 1, 50)).Comment("What it says.").Annotations(expose.UniqueFold()),
		field.Int64("note_id").Optional().Nillable().Comment("What it is on."),
		field.Int64("org_id").Immutable().Comment("Whose tenant's it is."),
	}
}

func (Seal) Mixin() []ent.Mixin { return []ent.Mixin{tables.Base{}, tables.Listed{}} }

func (Seal) Edges() []ent.Edge {
	return []ent.Edge{edge.To("note", Note.Type).Field("note_id").Unique().Comment("What it is on.").Annotations(entsql.OnDelete(entsql.SetNull))}
}

func (Seal) Policy() ent.Policy {
	return policy.Rules{Read: policy.Anyone(), Verbs: policy.Verbs{
		policy.Create: policy.SignedIn(), policy.Update: policy.SignedIn(), policy.Delete: policy.SignedIn(),
	}}
}

func (Seal) Annotations() []schema.Annotation {
	return []schema.Annotation{
		schema.Comment("What is on notes."), expose.Tenant("org_id"),
		expose.Resource{
			Path: "seals", Operations: expose.CRUD(), Changes: true,
			Events: []expose.Topic{{Name: "seal.made", On: "insert", Feeds: &expose.Subscription{Name: "newSeal", Comment: "There is a new seal."}}},
		},
	}
}
