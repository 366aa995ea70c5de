package tables

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/entwine-go/entwine/kit/policy"
)

// Event says that something was written. The database inserts it, in the
// transaction of the write: see expose.Topic.
type Event struct{ ent.Schema }

// Fields of the Event.
func (Event) Fields() []ent.Field {
	return []ent.Field{
		field.Int64("id").Positive().Immutable().
			Comment("The order of events of one transaction; on SQLite, of all events."),
		field.Int64("xid").Default(0).Immutable().
			Comment("The transaction's number on PostgreSQL, where ids alone commit out of order; 0 on SQLite."),
		field.String("topic").Immutable().
			Comment("What happened."),
		field.String("entity").Immutable().
			Comment("The entity of the row it happened to."),
		field.Int64("entity_id").Immutable().
			Comment("The id of the row."),
		field.String("entity_text").Optional().Nillable().Immutable().
			Comment("The id of the row where it is a text or a UUID: entity_id is 0 then."),
		field.Int64("key").Immutable().
			Comment("What subscribers select events by: the id of the row, or of one that it belongs to."),
		field.String("key_text").Optional().Nillable().Immutable().
			Comment("The key where it is a text or a UUID: key is 0 then."),
		field.Text("payload").Optional().Nillable().Immutable().
			Comment("Values of the row at that time, as a JSON object."),
		field.Time("created_at").Default(Now).Immutable().
			Comment("When it happened."),
	}
}

// Indexes of the Event.
func (Event) Indexes() []ent.Index {
	return []ent.Index{index.Fields("xid", "id")}
}

// Policy of the Event.
func (Event) Policy() ent.Policy { return policy.Rules{} }

// Annotations of the Event.
func (Event) Annotations() []schema.Annotation {
	return []schema.Annotation{ours, schema.Comment("Something that was written.")}
}
