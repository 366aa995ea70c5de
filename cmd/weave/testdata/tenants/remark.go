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

// Remark is said of a note, and deleted with it.
type Remark struct{ ent.Schema }

func (Remark) Fields() []ent.Field {
	return []ent.Field{
		expose.Length(field.String("text"), 1, 500).Comment("What it says."),
		field.Int64("weight").Default(0).Comment("How much it weighs."),
		field.Int64("note_id").Immutable().Comment("The note that it is of.").Annotations(expose.By(expose.Filter)),
		field.Int64("org_id").Immutable().Comment("Whose tenant's it is."),
	}
}

func (Remark) Mixin() []ent.Mixin {
	return []ent.Mixin{tables.Base{}, tables.Listed{}, tables.Versioned{}, tables.SoftDelete{}}
}

func (Remark) Edges() []ent.Edge {
	return []ent.Edge{edge.From("note", Note.Type).Ref("remarks").Field("note_id").Unique().Required().Immutable().Comment("The note that it is of.").
		Annotations(expose.FilterEdge(), policy.Attach(policy.Anyone()))}
}

func (Remark) Policy() ent.Policy {
	known := policy.SignedIn()
	read := policy.All(known, policy.Related("note_id", "notes", policy.Not(policy.Is("title", "hidden"))))
	return policy.Rules{SoftDelete: true, With: policy.With{Column: "note_id", Table: "notes"}, Read: read, Verbs: policy.Verbs{
		policy.Create: known, policy.Update: known, policy.Delete: known, policy.Restore: known, policy.Remove: known, policy.ReadDeleted: known,
	}}
}

func (Remark) Annotations() []schema.Annotation {
	return []schema.Annotation{
		schema.Comment("What is said of a note."), expose.Tenant("org_id").Across("admin"),
		expose.Resource{Path: "remarks", Operations: expose.CRUD(), Calcs: []expose.Calc{{
			Name: "weighs", Shape: expose.Count, Example: 4, Comment: "How much so many of it weigh.",
			Input: []ent.Field{field.Int64("times").Comment("How many.")},
			SQL:   `{row}."weight" * :times / 2`,
		}}},
	}
}
