package schema

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"

	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/tables"
)

// Scale has an id that a function makes.
type Scale struct{ ent.Schema }

var scales atomic.Int64

// Fields of the Scale.
func (Scale) Fields() []ent.Field {
	return []ent.Field{
		field.String("id").DefaultFunc(func() string { return fmt.Sprintf("scale-%d", scales.Add(1)) }).Immutable().Comment("Its id."),
		expose.Line(expose.Length(field.String("name"), 1, 100)).Comment("Its name."),
		field.Int64("readings_count").Default(0).Comment("How much was measured in it, at sites that are there.").
			Annotations(expose.CountOf("readings", "").While("site_id")),
	}
}

// Mixin of the Scale.
func (Scale) Mixin() []ent.Mixin { return []ent.Mixin{tables.Base{}, tables.Listed{}} }

// spelled has a name begin with a capital letter, by the methods of the mutations that Ent generates.
func spelled(next ent.Mutator) ent.Mutator {
	return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
		named, ok := m.(interface {
			Name() (string, bool)
			SetName(string)
		})
		if !ok {
			return nil, fmt.Errorf("a %T has no name", m)
		}
		if name, given := named.Name(); given && name != "" {
			named.SetName(strings.ToUpper(name[:1]) + name[1:])
		}
		return next.Mutate(ctx, m)
	})
}

// Hooks of the Scale.
func (Scale) Hooks() []ent.Hook { return []ent.Hook{spelled} }

// Edges of the Scale.
func (Scale) Edges() []ent.Edge {
	return []ent.Edge{edge.To("readings", Reading.Type).Comment("What was measured in it.")}
}

// Policy of the Scale.
func (Scale) Policy() ent.Policy {
	return policy.Rules{Read: policy.Anyone(), Verbs: policy.Verbs{
		policy.Create: policy.Anyone(), policy.Update: policy.Anyone(), policy.Delete: policy.Anyone(),
	}}
}

// Annotations of the Scale.
func (Scale) Annotations() []schema.Annotation {
	return []schema.Annotation{schema.Comment("What is measured in."), expose.Resource{Path: "scales", Operations: expose.CRUD()}}
}

// Badge has an integer id, and is what sites have.
type Badge struct{ ent.Schema }

// Fields of the Badge.
func (Badge) Fields() []ent.Field {
	return []ent.Field{
		expose.Line(expose.Length(field.String("name"), 1, 100)).Comment("Its name.").Annotations(expose.By(expose.Filter), expose.Scanned()),
		field.Int64("sites_count").Default(0).Comment("How many sites have it that are there.").Annotations(expose.CountOf("sites", "")),
		field.String("home_id").Optional().Nillable().Comment("Where it is from."),
	}
}

// Mixin of the Badge.
func (Badge) Mixin() []ent.Mixin { return []ent.Mixin{tables.Base{}, tables.Listed{}} }

// Edges of the Badge.
func (Badge) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("sites", Site.Type).Ref("badges").Comment("What has it.").Annotations(expose.Attached(), expose.Nested(expose.List)),
		edge.To("home", Region.Type).Field("home_id").Unique().Comment("Where it is from."),
	}
}

// Hooks of the Badge: they say what they see of one that is called Probe.
func (Badge) Hooks() []ent.Hook {
	return []ent.Hook{func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			if name, _ := m.Field("name"); name != "Probe" {
				return next.Mutate(ctx, m)
			}
			said := fmt.Sprintf("%s %v", m.Op(), m.AddedEdges())
			for _, edge := range m.AddedEdges() {
				for _, id := range m.AddedIDs(edge) {
					said += fmt.Sprintf(" %T", id)
				}
			}
			if m.Op().Is(ent.OpUpdateOne) {
				old, err := m.OldField(ctx, "name")
				if err != nil {
					return nil, err
				}
				said += fmt.Sprintf(" was %v", old)
			}
			return nil, problem.New(problem.Conflict, "%s", said)
		})
	}}
}

// Policy of the Badge.
func (Badge) Policy() ent.Policy {
	return policy.Rules{Read: policy.Anyone(), Verbs: policy.Verbs{
		policy.Create: policy.Anyone(), policy.Update: policy.Anyone(), policy.Delete: policy.Anyone(),
	}}
}

// Annotations of the Badge.
func (Badge) Annotations() []schema.Annotation {
	return []schema.Annotation{schema.Comment("What sites have."), expose.Resource{Path: "badges", Operations: expose.CRUD()}}
}
