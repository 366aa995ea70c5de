package tables

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/entwine-go/entwine/kit/policy"
)

// IdempotencyRecord is the result of a request with an Idempotency-Key, written in
// the transaction of its effect: the id of the row in the answer, so that a
// repetition reads it with the caller's rights of that moment.
type IdempotencyRecord struct{ ent.Schema }

// Fields of the IdempotencyRecord.
func (IdempotencyRecord) Fields() []ent.Field {
	return []ent.Field{
		field.Bytes("key_hash").Sensitive().Unique().Immutable().
			Comment("The SHA-256 hash over caller, method, route and key."),
		field.Bytes("fingerprint").Immutable().
			Comment("The SHA-256 hash over canonical body, path and query."),
		field.String("caller").MaxLen(32).Default("").Immutable().
			Comment("Its owner, a user or an API key, to count the records of one owner."),
		field.Int("status").Optional().Nillable().
			Comment("The status of the first answer, null while the request runs."),
		field.String("entity").MaxLen(64).Optional().Nillable().
			Comment("The entity of the row that the request was answered with, null where that was no row."),
		field.Int64("row_id").Optional().Nillable().
			Comment("The id of that row."),
		field.Bytes("body").Optional().
			Comment("The part of the answer that cannot be read again: an answer that is not a row, the ids of many rows, or the reason of a refusal."),
		field.Bytes("view").Optional().
			Comment("A digest of the rights that the body was written by, null where it depends on none."),
		field.Int("size").Default(0).
			Comment("About how many bytes the record takes."),
		field.Time("expires_at").Immutable().
			Comment("Until when it is kept."),
	}
}

// Mixin of the IdempotencyRecord.
func (IdempotencyRecord) Mixin() []ent.Mixin {
	return []ent.Mixin{Record{}}
}

// Indexes of the IdempotencyRecord.
func (IdempotencyRecord) Indexes() []ent.Index {
	return []ent.Index{index.Fields("expires_at"), index.Fields("caller", "expires_at", "size")}
}

// Policy of the IdempotencyRecord.
func (IdempotencyRecord) Policy() ent.Policy { return policy.Rules{} }

// Annotations of the IdempotencyRecord.
func (IdempotencyRecord) Annotations() []schema.Annotation {
	return []schema.Annotation{ours, schema.Comment("The result of a request with an Idempotency-Key.")}
}
