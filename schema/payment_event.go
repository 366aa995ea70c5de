package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
)

// PaymentEvent is an event that the gateway has sent of its own accord and
// that has taken effect: sent again, it has none.
type PaymentEvent struct{ ent.Schema }

// Fields of the PaymentEvent.
func (PaymentEvent) Fields() []ent.Field {
	return []ent.Field{
		field.String("event_id").Unique().Immutable().
			Comment("The gateway's id of the event."),
		field.String("type").Immutable().
			Comment("The type of the event."),
	}
}

// Mixin of the PaymentEvent.
func (PaymentEvent) Mixin() []ent.Mixin {
	return []ent.Mixin{Record{}}
}

// Indexes of the PaymentEvent.
func (PaymentEvent) Indexes() []ent.Index {
	return []ent.Index{index.Fields("created_at")}
}

// Policy of the PaymentEvent.
func (PaymentEvent) Policy() ent.Policy { return policy.Rules{} }

// Annotations of the PaymentEvent.
func (PaymentEvent) Annotations() []schema.Annotation {
	return []schema.Annotation{expose.Client{Upsert: true}, schema.Comment("An event that the payment gateway has sent of its own accord.")}
}
