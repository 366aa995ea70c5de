package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/tables"
)

// User is a person with an account.
type User struct{ ent.Schema }

// Mixin of the User.
func (User) Mixin() []ent.Mixin {
	return []ent.Mixin{
		tables.Base{}, tables.Listed{}, tables.Versioned{}, tables.SoftDelete{},
		tables.User{Roles: []string{"user", "editor", "moderator", "admin"}},
	}
}

// Edges of the User.
func (User) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("notes", Note.Type).Comment("The notes that the user wrote.").
			Annotations(entsql.OnDelete(entsql.Cascade), expose.Nested(expose.List), expose.DeletedWith()),
		edge.To("remarks", Remark.Type).Comment("The remarks that the user made.").
			Annotations(entsql.OnDelete(entsql.Cascade), expose.DeletedWith()),
	}
}

// Policy of the User.
func (User) Policy() ent.Policy { return tables.UserRules() }

// Annotations of the User.
func (User) Annotations() []schema.Annotation {
	return []schema.Annotation{schema.Comment("A person with an account."), tables.UserResource()}
}
