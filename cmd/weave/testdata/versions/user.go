package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/tables"
)

// User is a person who writes notes.
type User struct{ ent.Schema }

// Fields of the User.
func (User) Fields() []ent.Field {
	return []ent.Field{
		expose.Line(expose.Length(field.String("name"), 2, 100)).
			Comment("The name shown to others.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Selective(), expose.Example("Ada Lovelace")),
	}
}

// Mixin of the User.
func (User) Mixin() []ent.Mixin {
	return []ent.Mixin{tables.Base{}, tables.Listed{}, tables.Versioned{}}
}

// Edges of the User.
func (User) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("notes", Note.Type).
			Comment("The notes of the user.").
			Annotations(entsql.OnDelete(entsql.Cascade), expose.Nested(expose.List)),
	}
}

// Policy of the User.
func (User) Policy() ent.Policy {
	return policy.Rules{
		Read:  policy.Anyone(),
		Verbs: policy.Verbs{policy.Create: policy.Anyone(), policy.Update: policy.Anyone(), policy.Delete: policy.Anyone()},
	}
}

// Annotations of the User.
func (User) Annotations() []schema.Annotation {
	return []schema.Annotation{
		schema.Comment("A person who writes notes."),
		expose.Resource{Path: "users", Operations: expose.CRUD()},
	}
}
