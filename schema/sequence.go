package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
)

// Sequence counts without gaps: its row is locked until the transaction that
// took numbers commits.
type Sequence struct{ ent.Schema }

// Fields of the Sequence.
func (Sequence) Fields() []ent.Field {
	return []ent.Field{
		field.String("name").Unique().Immutable().
			Comment("The name of the counter: invoices."),
		field.Int64("value").Default(0).
			Comment("The last number that was taken."),
	}
}

// Mixin of the Sequence.
func (Sequence) Mixin() []ent.Mixin {
	return []ent.Mixin{Record{}}
}

// Policy of the Sequence.
func (Sequence) Policy() ent.Policy { return policy.Rules{} }

// Annotations of the Sequence.
func (Sequence) Annotations() []schema.Annotation {
	return []schema.Annotation{expose.Client{None: true}, schema.Comment("A count without gaps.")}
}
