package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
)

// Profile is a user's profile.
type Profile struct{ ent.Schema }

// Fields of the Profile.
func (Profile) Fields() []ent.Field {
	return []ent.Field{
		expose.Length(field.Text("bio"), 0, 2_000).Optional().Nillable().
			Comment("A few words about the user.").
			Annotations(expose.Example("Mathematician and writer.")),
		expose.File(field.String("avatar"), expose.Image, expose.Measured, expose.MaxSize(5<<20), expose.Elsewhere,
			expose.Variants(expose.Variant{Name: "small", Width: 96, Height: 96, Fit: expose.Cover}, expose.Variant{Name: "large", Width: 512, Height: 512})).Optional().Nillable().
			Comment("The address of a picture of the user: one that was uploaded for it, or one elsewhere.").
			Annotations(expose.Example("https://example.com/ada.png")),
		expose.URL(field.String("website")).Optional().Nillable().
			Comment("The address of the user's website.").
			Annotations(expose.Example("https://example.com")),
	}
}

// Mixin of the Profile.
func (Profile) Mixin() []ent.Mixin {
	return []ent.Mixin{Base{}, Versioned{}}
}

// Edges of the Profile.
func (Profile) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("user", User.Type).Ref("profile").Field("user_id").Unique().Required().Immutable().
			Comment("The user whom the profile describes.").
			Annotations(expose.Computed(), expose.Through()),
	}
}

// Policy of the Profile.
func (Profile) Policy() ent.Policy {
	return policy.Rules{
		Read: policy.All(known, policy.Related("user_id", "users", alive)),
		Verbs: policy.Verbs{
			policy.Create: policy.Any(policy.Owner("user_id"), admin),
			policy.Update: policy.Any(policy.Owner("user_id"), admin),
		},
	}
}

// Annotations of the Profile.
func (Profile) Annotations() []schema.Annotation {
	return []schema.Annotation{
		schema.Comment("A user's own description of themselves."),
		expose.Resource{
			Path:       "profile",
			Under:      "user",
			Operations: []expose.Operation{expose.Read, expose.Replace, expose.Patch},
		},
	}
}
