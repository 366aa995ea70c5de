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

// RefreshFamily is a sign-in and the refresh tokens that followed from it,
// each the successor of the one before. Access tokens name it (sid), so that
// they end with it.
type RefreshFamily struct{ ent.Schema }

// Fields of the RefreshFamily.
func (RefreshFamily) Fields() []ent.Field {
	return []ent.Field{
		field.String("sid").Unique().Immutable().
			Comment("The random name that tokens know it by."),
		field.Int64("counter").Default(0).
			Comment("The number of the newest token: the head. Only its holder and, for a moment, the holder of the one before get a new one."),
		field.Time("rotated_at").Default(Now).
			Comment("When the head was made."),
		field.Time("expires_at").Immutable().
			Comment("When the family ends, counted from the sign-in."),
		field.Time("revoked_at").Optional().Nillable().
			Comment("When it was ended early: by its user, or with them.").
			Annotations(endsWithUser),
		field.String("revoked_for").Optional().Nillable().
			Comment("Why it was ended early: logout, reuse, password, deactivation."),
		field.String("user_agent").Default("").Immutable().
			Comment("The program that signed in."),
		field.String("address").Default("").Immutable().
			Comment("The address that signed in."),
		field.Int64("user_id").Immutable().
			Comment("The user."),
	}
}

// Mixin of the RefreshFamily.
func (RefreshFamily) Mixin() []ent.Mixin {
	return []ent.Mixin{Record{}}
}

// Edges of the RefreshFamily.
func (RefreshFamily) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable().
			Annotations(entsql.OnDelete(entsql.Cascade)),
	}
}

// Indexes of the RefreshFamily.
func (RefreshFamily) Indexes() []ent.Index {
	return []ent.Index{index.Fields("user_id"), index.Fields("expires_at")}
}

// Policy of the RefreshFamily.
func (RefreshFamily) Policy() ent.Policy { return policy.Rules{} }

// Annotations of the RefreshFamily.
func (RefreshFamily) Annotations() []schema.Annotation {
	return []schema.Annotation{accounts, ours, schema.Comment("A sign-in and the refresh tokens that followed from it.")}
}
