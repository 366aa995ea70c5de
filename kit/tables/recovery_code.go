package tables

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/entwine-go/entwine/kit/policy"
)

// RecoveryCode takes the place of a one-time code, once.
type RecoveryCode struct{ ent.Schema }

// Fields of the RecoveryCode.
func (RecoveryCode) Fields() []ent.Field {
	return []ent.Field{
		field.Bytes("code_hash").Sensitive().Immutable().
			Comment("The keyed hash of the code."),
		field.Time("used_at").Optional().Nillable().
			Comment("When it was used, null while it can be."),
		field.Int64("user_id").Immutable().
			Comment("The user."),
	}
}

// Mixin of the RecoveryCode.
func (RecoveryCode) Mixin() []ent.Mixin {
	return []ent.Mixin{Record{}}
}

// Edges of the RecoveryCode.
func (RecoveryCode) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable().
			Annotations(entsql.OnDelete(entsql.Cascade)),
	}
}

// Indexes of the RecoveryCode.
func (RecoveryCode) Indexes() []ent.Index {
	return []ent.Index{index.Fields("user_id", "code_hash").Unique()}
}

// Policy of the RecoveryCode.
func (RecoveryCode) Policy() ent.Policy { return policy.Rules{} }

// Annotations of the RecoveryCode.
func (RecoveryCode) Annotations() []schema.Annotation {
	return []schema.Annotation{accounts, ours, schema.Comment("A code that takes the place of a one-time code, once.")}
}
