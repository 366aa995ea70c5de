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

// Session is a sign-in by cookie: the session cookie itself, or a token in a
// cookie, which names it (sid) as access tokens name a refresh family.
type Session struct{ ent.Schema }

// Fields of the Session.
func (Session) Fields() []ent.Field {
	return []ent.Field{
		field.String("sid").Unique().Immutable().
			Comment("The random name that tokens know it by."),
		field.Enum("mode").Values("session", "cookie").Immutable().
			Comment("The kind of cookie that holds it."),
		field.Bytes("secret_hash").Sensitive().Optional().Immutable().
			Comment("The SHA-256 hash of the session cookie, null for a token in a cookie."),
		field.Time("expires_at").Immutable().
			Comment("When it ends."),
		field.Time("revoked_at").Optional().Nillable().
			Comment("When it was ended early: by its user, or with them.").
			Annotations(endsWithUser),
		field.String("user_agent").Default("").Immutable().
			Comment("The program that signed in."),
		field.String("address").Default("").Immutable().
			Comment("The address that signed in."),
		field.Int64("user_id").Immutable().
			Comment("The user."),
	}
}

// Mixin of the Session.
func (Session) Mixin() []ent.Mixin {
	return []ent.Mixin{Record{}}
}

// Edges of the Session.
func (Session) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable().
			Annotations(entsql.OnDelete(entsql.Cascade)),
	}
}

// Indexes of the Session.
func (Session) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("secret_hash").Unique(),
		index.Fields("user_id"),
		index.Fields("expires_at"),
	}
}

// Policy of the Session.
func (Session) Policy() ent.Policy { return policy.Rules{} }

// Annotations of the Session.
func (Session) Annotations() []schema.Annotation {
	return []schema.Annotation{accounts, ours, schema.Comment("A sign-in by cookie.")}
}
