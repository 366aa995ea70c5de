package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/tables"
)

// Zine is a small magazine that can be lent.
type Zine struct{ ent.Schema }

// Fields of the Zine.
func (Zine) Fields() []ent.Field {
	return []ent.Field{
		expose.Line(expose.Length(field.String("title"), 1, 200)).
			Comment("Its title.").
			Annotations(expose.By(expose.Filter, expose.Sort, expose.Search), expose.Selective(), expose.Example("Engines")),
		field.String("borrower").Optional().Nillable().
			Comment("Who has it, null while it is there.").
			Annotations(expose.Computed()),
		field.Bool("catalogued").Default(false).
			Comment("Whether it is in the catalogue.").
			Annotations(expose.Computed()),
	}
}

// Mixin of the Zine.
func (Zine) Mixin() []ent.Mixin {
	return []ent.Mixin{tables.Base{}, tables.Listed{}, tables.Versioned{}}
}

// Policy of the Zine.
func (Zine) Policy() ent.Policy {
	return policy.Rules{
		Read:  policy.Anyone(),
		Verbs: policy.Verbs{policy.Create: policy.Anyone(), policy.Update: policy.Anyone(), policy.Delete: policy.Anyone(), "lend": policy.Anyone()},
	}
}

// Annotations of the Zine.
func (Zine) Annotations() []schema.Annotation {
	return []schema.Annotation{
		schema.Comment("A small magazine that can be lent."),
		expose.Resource{
			Path: "zines", Operations: expose.CRUD(), Search: []string{"title"},
			Actions: []expose.Action{{
				Verb: "lend", Done: "lent", Else: "the zine is lent already", Run: expose.InTx,
				Comment: "Gives a zine to a reader.",
				When:    policy.Null("borrower"),
				Input: []ent.Field{
					expose.Line(expose.Length(field.String("to"), 1, 100)).Comment("Who takes it."),
				},
			}},
			Events: []expose.Topic{
				{Name: "zine.added", On: "insert", Job: "catalogue"},
				{Name: "zine.catalogued", On: "update", When: "NEW.catalogued AND NOT OLD.catalogued", Feeds: &expose.Subscription{
					Name: "zineCatalogued", Comment: "A zine comes into the catalogue.",
				}},
			},
		},
	}
}
