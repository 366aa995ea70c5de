package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/entwine-go/entwine/kit/policy"
)

// IdempotencyRecord is the answer to a request with an Idempotency-Key,
// written in the transaction of its effect.
type IdempotencyRecord struct{ ent.Schema }

// Fields of the IdempotencyRecord.
func (IdempotencyRecord) Fields() []ent.Field {
	return []ent.Field{
		field.Bytes("key_hash").Sensitive().Unique().Immutable().
			Comment("The SHA-256 hash over caller, method, route and key."),
		field.Bytes("fingerprint").Immutable().
			Comment("The SHA-256 hash over canonical body, path and query."),
		field.Int("status").Optional().Nillable().
			Comment("The status of the answer, null while the request runs."),
		field.JSON("headers", map[string]string{}).Optional().
			Comment("The headers of the answer that are repeated."),
		field.Bytes("body").Optional().
			Comment("The body of the answer."),
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
	return []ent.Index{index.Fields("expires_at")}
}

// Policy of the IdempotencyRecord.
func (IdempotencyRecord) Policy() ent.Policy { return policy.Rules{} }

// Annotations of the IdempotencyRecord.
func (IdempotencyRecord) Annotations() []schema.Annotation {
	return []schema.Annotation{schema.Comment("The answer to a request with an Idempotency-Key.")}
}
