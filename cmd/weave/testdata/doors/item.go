package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/tables"
)

// Item is in a box, and has labels.
type Item struct{ ent.Schema }

// Fields of the Item.
func (Item) Fields() []ent.Field {
	return []ent.Field{
		tag(),
		field.Int64("weight").Default(0).NonNegative().Comment("What it weighs.").Annotations(expose.By(expose.Filter), expose.Scanned()),
		field.Bool("fragile").Default(false).Comment("Whether it can break."),
	}
}

// Mixin of the Item.
func (Item) Mixin() []ent.Mixin {
	return []ent.Mixin{tables.Base{}, tables.Listed{}, tables.Versioned{}}
}

// Edges of the Item.
func (Item) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("box", Box.Type).Ref("items").Field("box_id").Unique().Required().Comment("Where it is.").Annotations(expose.FilterEdge(), expose.By(expose.Filter)),
		edge.To("labels", Label.Type).Comment("What it is labelled with.").Annotations(expose.Attached(), expose.Nested(expose.List)),
	}
}

// Policy of the Item: it is written by those who may write its box.
func (Item) Policy() ent.Policy {
	in := policy.Related("box_id", "boxes", mine())
	return policy.Rules{Read: policy.Anyone(), Verbs: policy.Verbs{policy.Create: in, policy.Update: in, policy.Delete: in}}
}

// Annotations of the Item.
func (Item) Annotations() []schema.Annotation {
	return []schema.Annotation{schema.Comment("Is in a box."), expose.Resource{
		Path: "items", Operations: expose.CRUD(),
		Events: []expose.Topic{
			{Name: "item.moved", On: "update", When: "NEW.box_id <> OLD.box_id"},
			{Name: "item.gone", On: "delete"},
		},
	}}
}

// Label has an id of another kind.
type Label struct{ ent.Schema }

func newLabelID() uuid.UUID { return uuid.Must(uuid.NewV7()) }

// Fields of the Label.
func (Label) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}).Default(newLabelID).Immutable().Comment("Its id."),
		tag(),
	}
}

// Mixin of the Label.
func (Label) Mixin() []ent.Mixin {
	return []ent.Mixin{tables.Base{}, tables.Listed{}, tables.Versioned{}}
}

// Edges of the Label.
func (Label) Edges() []ent.Edge {
	return []ent.Edge{edge.From("items", Item.Type).Ref("labels").Comment("What has it.").Annotations(expose.Attached(), expose.Nested(expose.List))}
}

// Policy of the Label.
func (Label) Policy() ent.Policy {
	return policy.Rules{Read: policy.Anyone(), Verbs: policy.Verbs{policy.Create: policy.SignedIn(), policy.Update: policy.SignedIn(), policy.Delete: policy.SignedIn()}}
}

// Annotations of the Label.
func (Label) Annotations() []schema.Annotation {
	return []schema.Annotation{schema.Comment("Labels items."), expose.Resource{Path: "labels", Operations: expose.CRUD()}}
}

// Tally counts something of a box: what is there grows.
type Tally struct{ ent.Schema }

// Fields of the Tally.
func (Tally) Fields() []ent.Field {
	return []ent.Field{
		expose.Line(expose.Length(field.String("kind"), 1, 20)).Immutable().Comment("What is counted."),
		expose.Range(field.Int64("quantity"), 1, 1000).Comment("How many there are."),
	}
}

// Mixin of the Tally.
func (Tally) Mixin() []ent.Mixin {
	return []ent.Mixin{tables.Base{}, tables.Listed{}, tables.Versioned{}}
}

// Edges of the Tally.
func (Tally) Edges() []ent.Edge {
	return []ent.Edge{edge.From("box", Box.Type).Ref("tallies").Field("box_id").Unique().Required().Immutable().Comment("Where it was counted.")}
}

// Indexes of the Tally.
func (Tally) Indexes() []ent.Index { return []ent.Index{index.Fields("box_id", "kind").Unique()} }

// Policy of the Tally.
func (Tally) Policy() ent.Policy {
	in := policy.Related("box_id", "boxes", mine())
	return policy.Rules{Read: policy.Anyone(), Verbs: policy.Verbs{policy.Create: in, policy.Update: in, policy.Delete: in}}
}

// Annotations of the Tally.
func (Tally) Annotations() []schema.Annotation {
	return []schema.Annotation{schema.Comment("Counts something."), expose.Client{Upsert: true}, expose.Resource{
		Path: "tallies", Operations: expose.CRUD(),
		Upsert: &expose.Upsert{Index: []string{"box_id", "kind"}, Add: []string{"quantity"}, Comment: "What was counted before grows."},
	}}
}
