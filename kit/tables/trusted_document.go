package tables

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/entwine-go/entwine/kit/policy"
)

// TrustedDocument is a GraphQL document that clients refer to instead of
// sending it.
type TrustedDocument struct{ ent.Schema }

// Fields of the TrustedDocument.
func (TrustedDocument) Fields() []ent.Field {
	return []ent.Field{
		field.String("key").MaxLen(200).Unique().Immutable().
			Comment("What clients call it: the id that a manifest gave it."),
		field.Text("text").Immutable().
			Comment("The document."),
		field.Bytes("text_hash").Immutable().
			Comment("The SHA-256 hash of the text, by which a document that is sent is recognised."),
	}
}

// Mixin of the TrustedDocument.
func (TrustedDocument) Mixin() []ent.Mixin {
	return []ent.Mixin{Record{}}
}

// Indexes of the TrustedDocument.
func (TrustedDocument) Indexes() []ent.Index {
	return []ent.Index{index.Fields("text_hash")}
}

// Policy of the TrustedDocument.
func (TrustedDocument) Policy() ent.Policy { return policy.Rules{} }

// Annotations of the TrustedDocument.
func (TrustedDocument) Annotations() []schema.Annotation {
	return []schema.Annotation{ours, schema.Comment("A GraphQL document that clients refer to instead of sending it.")}
}
