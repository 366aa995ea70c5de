package tables

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/entwine-go/entwine/kit/policy"
)

// Change is a write of a row whose changes are followed. The database inserts it, in
// the transaction of the write: see expose.Resource.Changes.
type Change struct{ ent.Schema }

// Fields of the Change.
func (Change) Fields() []ent.Field {
	return []ent.Field{
		field.Int64("id").Positive().Immutable().
			Comment("The order of changes of one transaction; on SQLite, of all changes."),
		field.Int64("xid").Default(0).Immutable().
			Comment("The transaction's number on PostgreSQL, where ids alone commit out of order; 0 on SQLite."),
		field.String("entity").Immutable().
			Comment("The entity of the row."),
		field.Int64("entity_id").Immutable().
			Comment("The id of the row."),
		field.String("entity_text").Optional().Nillable().Immutable().
			Comment("The id of the row where it is a text or a UUID: entity_id is 0 then."),
		field.String("kind").Immutable().
			Comment("What happened to the row: insert, update or delete. A soft deletion is a delete, and its end an insert."),
		field.Text("before").Optional().Nillable().Immutable().
			Comment("What policies may ask of the row as it was before, as a JSON object: null where there was none."),
		field.Time("created_at").Default(Now).Immutable().
			Comment("When it happened."),
	}
}

// Indexes of the Change.
func (Change) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("entity", "xid", "id"),
		index.Fields("entity", "entity_id", "entity_text", "xid", "id"), // what became of one row
	}
}

// Policy of the Change.
func (Change) Policy() ent.Policy { return policy.Rules{} }

// Annotations of the Change.
func (Change) Annotations() []schema.Annotation {
	return []schema.Annotation{ours, schema.Comment("A write of a row whose changes are followed.")}
}
