package tables

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/policy"
)

// FileUsage is how many bytes of files are stored for one holder. Every transaction that
// stores or removes bytes changes it, so that quotas ask one row.
type FileUsage struct{ ent.Schema }

// Fields of the FileUsage.
func (FileUsage) Fields() []ent.Field {
	return []ent.Field{
		field.String("holder").MaxLen(100).Unique().Immutable().
			Comment("Whose bytes are counted: a user, an API key or a tenant."),
		field.Int64("bytes").
			Comment("How many bytes are stored, with those of uploads that are not complete."),
	}
}

// Mixin of the FileUsage.
func (FileUsage) Mixin() []ent.Mixin {
	return []ent.Mixin{Record{}}
}

// Policy of the FileUsage.
func (FileUsage) Policy() ent.Policy { return policy.Rules{} }

// Annotations of the FileUsage.
func (FileUsage) Annotations() []schema.Annotation {
	return []schema.Annotation{ours, schema.Comment("How many bytes of files are stored for one holder.")}
}
