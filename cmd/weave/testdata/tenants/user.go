package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/tables"
)

// User is a person with an account, of an org.
type User struct{ ent.Schema }

func (User) Fields() []ent.Field {
	return []ent.Field{
		field.Int64("org_id").Optional().Nillable().Comment("The org they belong to, null for none.").
			Annotations(expose.WritableBy("admin")),
		field.Int64("notes_count").Default(0).Comment("How many notes they have.").
			Annotations(expose.CountOf("notes", "")),
	}
}

func (User) Mixin() []ent.Mixin {
	return []ent.Mixin{tables.Base{}, tables.Listed{}, tables.Versioned{}, tables.SoftDelete{}, tables.User{Roles: []string{"user", "editor", "admin"}}}
}

func (User) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("org", Org.Type).Ref("users").Field("org_id").Unique().Comment("The org they belong to."),
		edge.To("notes", Note.Type).Comment("What they wrote.").Annotations(expose.Nested(expose.List)),
	}
}

func (User) Policy() ent.Policy { return tables.UserRules() }

func (User) Annotations() []schema.Annotation {
	return []schema.Annotation{
		schema.Comment("A person with an account."), tables.UserResource(),
		expose.Tenant("org_id").OfUsers().Across("admin"),
	}
}
