package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/internal/expose"
	"github.com/entwine-go/entwine/internal/policy"
	"github.com/entwine-go/entwine/internal/viewer"
)

// User is a person with an account.
type User struct{ ent.Schema }

// Fields of the User.
func (User) Fields() []ent.Field {
	return []ent.Field{
		expose.Length(field.String("name"), 2, 100).
			Comment("The name shown to others.").
			Annotations(expose.By(expose.Filter, expose.Sort, expose.Search), expose.Example("Ada Lovelace")),
		expose.Email(field.String("email")).
			Comment("The e-mail address, unique without regard to case.").
			Annotations(expose.By(expose.Filter, expose.Sort, expose.Search), expose.VisibleToKnown(), expose.Example("ada@example.com")),
		field.Enum("role").Values(roles()...).Default(string(viewer.User)).
			Comment("What the user may do. Only an admin can change it.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.VisibleToKnown(), expose.WritableBy(viewer.Admin)),
		expose.Range(field.Int("age"), 18, 120).Optional().Nillable().
			Comment("The age in years.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.VisibleToKnown()),
		field.Bool("is_active").Default(true).
			Comment("Whether the user can sign in.").
			Annotations(expose.By(expose.Filter), expose.VisibleToKnown(), expose.WritableBy(viewer.Admin), expose.Kept()),
		expose.AtLeast(field.Float("salary"), 0).Optional().Nillable().
			Comment("The yearly salary. Only admins see and set it.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.VisibleTo(viewer.Admin), expose.WritableBy(viewer.Admin), expose.Kept()),
	}
}

// Mixin of the User.
func (User) Mixin() []ent.Mixin {
	return []ent.Mixin{Base{}, Versioned{}, SoftDelete{}}
}

// Edges of the User.
func (User) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("posts", Post.Type).
			Comment("The posts the user wrote.").
			Annotations(expose.Nested(expose.List, expose.Read, expose.Create)),
		edge.To("comments", Comment.Type).
			Comment("The comments the user wrote."),
	}
}

// Policy of the User.
func (User) Policy() ent.Policy {
	return policy.Rules{
		SoftDelete: true,
		Read:       policy.Authenticated(),
		Verbs: policy.Verbs{
			policy.Create: admin,
			policy.Update: policy.Any(policy.Owner("id"), admin),
			policy.Delete: admin,
		},
	}
}

// Annotations of the User.
func (User) Annotations() []schema.Annotation {
	return []schema.Annotation{
		schema.Comment("A person with an account."),
		expose.Resource{Path: "users", Operations: expose.CRUD(), Limit: 10},
	}
}
