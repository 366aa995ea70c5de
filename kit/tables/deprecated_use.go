package tables

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
)

// DeprecatedUse is how often a client used something deprecated on a day. Its
// rows are written by package usage and kept for 90 days; neither the
// key nor the user need be there any longer.
type DeprecatedUse struct{ ent.Schema }

// Fields of the DeprecatedUse.
func (DeprecatedUse) Fields() []ent.Field {
	return []ent.Field{
		field.String("identity").Unique().Immutable().
			Annotations(expose.Internal()),
		field.String("day").Immutable().
			Comment("The day in UTC.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Computed(), expose.Example("2027-01-31")),
		field.Enum("kind").Values("version", "operation", "field").Immutable().
			Comment("The deprecated thing that was used.").
			Annotations(expose.By(expose.Filter), expose.Scanned(), expose.Computed()),
		field.String("name").Immutable().
			Comment("Its name: v1, createNote or Mutation.createNote, Note.title.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Scanned(), expose.Computed(), expose.Example("v1")),
		field.Int64("api_key_id").Optional().Nillable().Immutable().
			Comment("The id of the API key that was used, null for none.").
			Annotations(expose.By(expose.Filter), expose.Scanned(), expose.Computed()),
		field.Int64("user_id").Optional().Nillable().Immutable().
			Comment("The id of the user who was signed in, null for none.").
			Annotations(expose.By(expose.Filter), expose.Scanned(), expose.Computed()),
		field.String("agent").Immutable().
			Comment("The first product that the client's User-Agent names, without its version.").
			Annotations(expose.By(expose.Filter), expose.Scanned(), expose.Computed(), expose.Example("curl")),
		field.Int64("requests").Default(0).
			Comment("How many requests there were.").
			Annotations(expose.By(expose.Sort), expose.Scanned(), expose.Computed()),
	}
}

// Mixin of the DeprecatedUse.
func (DeprecatedUse) Mixin() []ent.Mixin { return []ent.Mixin{Record{}, Listed{}} }

// Indexes of the DeprecatedUse.
func (DeprecatedUse) Indexes() []ent.Index {
	return []ent.Index{index.Fields("day", "id")}
}

// Policy of the DeprecatedUse.
func (DeprecatedUse) Policy() ent.Policy { return policy.Rules{Read: admin} }

// Annotations of the DeprecatedUse.
func (DeprecatedUse) Annotations() []schema.Annotation {
	return []schema.Annotation{
		schema.Comment("How often a client used something deprecated on a day."),
		expose.Resource{Path: "deprecated-uses", Operations: expose.ReadOnly()},
	}
}
