package schema

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"strings"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/privacy"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/mixin"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/tables"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Box has one of all that rows of doc/guides/from-ent.md name.
type Box struct{ ent.Schema }

// sealed keeps texts behind a seal, as an encryption would.
var sealed = field.ValueScannerFunc[string, *sql.NullString]{
	V: func(s string) (driver.Value, error) { return "sealed:" + s, nil },
	S: func(s *sql.NullString) (string, error) {
		text, ok := strings.CutPrefix(s.String, "sealed:")
		if !ok {
			return "", fmt.Errorf("%q has no seal", s.String)
		}
		return text, nil
	},
}

// Loud is stored in capitals.
type Loud string

// Value implements driver.Valuer.
func (l Loud) Value() (driver.Value, error) { return strings.ToUpper(string(l)), nil }

// Scan implements sql.Scanner.
func (l *Loud) Scan(value any) error {
	*l = Loud(strings.ToLower(fmt.Sprintf("%s", value)))
	return nil
}

// Fields of the Box.
func (Box) Fields() []ent.Field {
	return []ent.Field{
		tag(),
		expose.Line(expose.Length(field.String("name"), 1, 100)).Comment("Its name.").
			Annotations(expose.By(expose.Filter, expose.Sort, expose.Search), expose.UniqueFold()),
		field.Text("note").Optional().Nillable().MaxLen(200).Comment("What is said of it."),
		field.String("code").StorageKey("box_code").Default("none").MaxLen(20).Comment("Its code.").Annotations(expose.By(expose.Filter), expose.Scanned()),
		field.String("secret").ValueScanner(sealed).Default("none").MaxLen(20).Comment("What is in it."),
		field.String("shout").GoType(Loud("")).Default("hey").Comment("What is on it."),
		field.Enum("status").Values("open", "closed").Default("open").Comment("Whether it is open.").
			Annotations(expose.By(expose.Filter), expose.Selective(), expose.Computed(), expose.States(
				expose.On("close").From("open").To("closed"),
				expose.On("reopen").From("closed").To("open"),
			)),
		field.Int64("items_count").Default(0).Comment("How many items it has.").Annotations(expose.By(expose.Filter, expose.Sort), expose.Scanned(), expose.CountOf("items", "")),
		field.Int64("fragile_count").Default(0).Comment("How many of them are fragile.").Annotations(expose.CountOf("items", "").Where(policy.Is("fragile", true))),
		field.Int64("weight").Default(0).Comment("What they weigh together.").Annotations(expose.SumOf("items", "weight", "")),
		field.Float("mean").Optional().Nillable().Comment("What one of them weighs.").Annotations(expose.MeanOf("weight", "items_count")),
	}
}

// tag is the name by which the test finds a row.
func tag() ent.Field {
	return expose.Line(expose.Length(field.String("tag"), 1, 40)).Unique().Immutable().Comment("What it is known by.").Annotations(expose.By(expose.Filter))
}

// Mixin of the Box.
func (Box) Mixin() []ent.Mixin {
	return []ent.Mixin{tables.Base{}, tables.Listed{}, tables.Versioned{}, tables.SoftDelete{}, Guarded{}}
}

// Guarded has rules of ent/privacy.
type Guarded struct{ mixin.Schema }

// Policy of the mixin: nothing is forbidden, and clerks delete nothing.
func (Guarded) Policy() ent.Policy {
	return privacy.Policy{Mutation: privacy.MutationPolicy{
		privacy.MutationRuleFunc(func(_ context.Context, m ent.Mutation) error {
			if noted, ok := m.(interface{ Note() (string, bool) }); ok {
				if note, _ := noted.Note(); note == "forbidden" {
					return privacy.Denyf("it is forbidden")
				}
				return privacy.Skip
			}
			return privacy.Denyf("%T is not Ent's", m)
		}),
		privacy.OnMutationOperation(privacy.MutationRuleFunc(func(ctx context.Context, _ ent.Mutation) error {
			if viewer.From(ctx).Is("clerk") {
				return privacy.Denyf("clerks delete nothing")
			}
			return privacy.Skip
		}), ent.OpDelete|ent.OpDeleteOne),
	}}
}

// Hooks of the Box: its note has no space around it.
func (Box) Hooks() []ent.Hook {
	return []ent.Hook{func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			noted, ok := m.(interface {
				Note() (string, bool)
				SetNote(string)
			})
			if !ok {
				return nil, fmt.Errorf("%T is not Ent's", m)
			}
			if note, written := noted.Note(); written {
				noted.SetNote(strings.TrimSpace(note))
			}
			return next.Mutate(ctx, m)
		})
	}}
}

// Edges of the Box.
func (Box) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("items", Item.Type).Comment("What it holds.").Annotations(entsql.OnDelete(entsql.Cascade), expose.Nested(expose.List)),
		edge.To("tallies", Tally.Type).Comment("What was counted.").Annotations(entsql.OnDelete(entsql.Cascade), expose.Nested(expose.List)),
		edge.To("owner", User.Type).Field("owner_id").Unique().Required().Immutable().Comment("Whose it is.").
			Annotations(entsql.OnDelete(entsql.Cascade), expose.By(expose.Filter), expose.Caller("admin")),
	}
}

// mine are the rows of the owner, of clerks and of admins.
func mine() policy.Rule {
	return policy.Any(policy.Owner("owner_id"), policy.Roles("clerk", viewer.Admin))
}

// Policy of the Box.
func (Box) Policy() ent.Policy {
	return policy.Rules{SoftDelete: true, Read: policy.Anyone(), Verbs: policy.Verbs{
		policy.Create: mine(), policy.Update: mine(), policy.Delete: mine(), policy.Restore: mine(), policy.ReadDeleted: policy.Roles(viewer.Admin), policy.Remove: policy.Roles(viewer.Admin),
		"close": mine(), "reopen": mine(), "perform": policy.SignedIn(),
	}}
}

// Annotations of the Box.
func (Box) Annotations() []schema.Annotation {
	return []schema.Annotation{
		schema.Comment("Holds items."),
		expose.Resource{
			Path: "boxes", Operations: expose.CRUD(), Search: []string{"name"}, Changes: true,
			Actions: []expose.Action{
				{Verb: "close", Done: "closed", Comment: "Closes a box."},
				{Verb: "reopen", Done: "reopened", Comment: "Opens a box again."},
				{
					Verb: "perform", Scope: expose.Unbound, Run: expose.InTx, Comment: "Does something by Ent's client, in the transaction of the request.",
					Input:  []ent.Field{field.Text("what").Comment("What is done.")},
					Answer: expose.Answer{Nothing: true},
					Names:  expose.Names{ID: "perform", GraphQL: "perform", Method: "POST", Path: "/perform", Tag: "Boxes", Summary: "Do something"},
				},
			},
			Bulk: []expose.Bulk{{Operation: expose.Create, Maximum: 10, Comment: "Makes many."}},
			Events: []expose.Topic{
				{Name: "box.made", On: "insert"},
				{Name: "box.touched", On: "update"},
				{Name: "box.renamed", On: "update", When: "NEW.name <> OLD.name", Payload: []string{"name"}},
				{Name: "box.closed", On: "update", When: "NEW.status = 'closed' AND OLD.status <> 'closed'"},
				{Name: "box.hidden", On: "update", When: "NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL"},
			},
		},
	}
}
