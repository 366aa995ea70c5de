// Package mutation writes and reads rows by their Ent schema, without the code
// that Ent generates: defaults, policies, hooks, interceptors and validators hold
// as they do in Ent's client, and the statements are Ent's (package sqlgraph). A
// program that writes by it links no generated client.
//
// A [Table] is made of a schema, once. A [Mutation] is a row to be made, or a
// change of rows. Values are plain: int64 for any whole number, float64, string
// (enums, too), bool, time.Time, uuid.UUID, []byte, []string, json.RawMessage,
// or the Go value of a field of JSON; nil is null.
package mutation

import (
	"context"
	"reflect"
	"slices"

	"entgo.io/ent"
	"entgo.io/ent/privacy"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
)

// id is the field of the key in every entity, and its column unless the field says so.
const id = "id"

// Table is an entity as its schema describes it. It never changes.
type Table struct {
	// Name is the entity's, and Table that of its table.
	Name, Table string
	// Columns are all but the id.
	Columns []*Column

	id           string         // the column of the key
	key          *Column        // the key
	stored       *stored        // the table below a view, nil where Table is none
	at           map[string]int // in Columns
	hooks        []ent.Hook     // the policy first
	policy       ent.Policy
	own          bool // one of the hooks is not this kit's
	typed        *slot
	edges        map[string]string // the columns that edges are written by, by the edges
	interceptors []ent.Interceptor
	follows      []follow
}

// follow is a column that follows from another: [expose.Follow].
type follow struct {
	column, of int
	as         string
}

// Of describes the entity of a schema, whose table has the name.
func Of(s ent.Interface, table string) *Table {
	if rules, held := policy.Find(s); held {
		return Ruled(s, table, rules)
	}
	return Ruled(s, table, s)
}

// Ruled is [Of] with the policy of another than the schema: with its rules within
// tenants.
func Ruled(s ent.Interface, table string, rules interface{ Policy() ent.Policy }) *Table {
	t := &Table{Name: reflect.Indirect(reflect.ValueOf(s)).Type().Name(), Table: table, id: id, key: &Column{Name: id, Field: id, kind: field.TypeInt64}, at: map[string]int{}, edges: map[string]string{}}
	policies := make([]interface{ Policy() ent.Policy }, 0, 4)
	var fields []ent.Field
	var edges []ent.Edge
	_, held := policy.Find(s) // the rules of mixins are among those of the schema
	for _, m := range s.Mixin() {
		fields, edges = append(fields, m.Fields()...), append(edges, m.Edges()...)
		t.hooks = append(t.hooks, m.Hooks()...)
		t.interceptors = append(t.interceptors, m.Interceptors()...)
		if !held {
			policies = append(policies, m)
		}
	}
	fields, edges = append(fields, s.Fields()...), append(edges, s.Edges()...)
	t.hooks = append(t.hooks, s.Hooks()...)
	t.interceptors = append(t.interceptors, s.Interceptors()...)
	t.policy = privacy.NewPolicies(append(policies, rules)...)
	t.own, t.typed = Own(t.hooks), slotOf(s)
	if r, ok := policy.AsRules(rules.Policy()); ok && r.ByHand() {
		t.own, t.hooks = true, slices.Insert(t.hooks, 0, judgedByHand(r))
	}
	t.hooks = slices.Insert(t.hooks, 0, judged(t.policy))
	t.describe(append(fields, expose.Keys(fields, edges)...))
	t.link(edges)
	t.stored = t.storedBelow(s)
	return t
}

// link notes the edges that columns of the table are.
func (t *Table) link(edges []ent.Edge) {
	for _, e := range edges {
		if d := e.Descriptor(); d.Field != "" {
			if c := t.Field(d.Field); c != nil {
				t.edges[d.Name] = c.Name
			}
		}
	}
}

// judged is the hook by which a policy judges mutations.
func judged(p ent.Policy) ent.Hook {
	return func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			if err := p.EvalMutation(ctx, m); err != nil {
				return nil, err
			}
			return next.Mutate(ctx, m)
		})
	}
}

// judgedByHand is the hook by which rules of ent/privacy judge mutations: as Ent's own,
// which they know.
func judgedByHand(r policy.Rules) ent.Hook {
	return func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			if err := r.EvalByHand(ctx, m); err != nil {
				return nil, err
			}
			return next.Mutate(ctx, m)
		})
	}
}

// describe adds the columns of the fields, and those that follow from them.
func (t *Table) describe(fields []ent.Field) {
	type following struct {
		column int
		says   expose.Follow
	}
	var followers []following
	var folded []*Column
	for _, f := range fields {
		d := f.Descriptor()
		c := columnOf(d)
		if d.Name == id {
			t.id, t.key = c.Name, c
			continue
		}
		says := expose.FieldOf(d)
		if says.Follow != nil {
			followers = append(followers, following{len(t.Columns), *says.Follow})
		}
		if says.Folded() {
			c.fold = c.Name + expose.FoldSuffix
			folded = append(folded, &Column{Name: c.fold, Field: d.Name + expose.FoldSuffix, Optional: true, kind: field.TypeString})
		}
		t.add(c)
	}
	for _, c := range folded {
		t.add(c)
	}
	for _, f := range followers {
		of := slices.IndexFunc(t.Columns, func(c *Column) bool { return c.Field == f.says.Field })
		t.follows = append(t.follows, follow{f.column, of, f.says.As})
	}
}

func (t *Table) add(c *Column) {
	t.at[c.Name] = len(t.Columns)
	t.Columns = append(t.Columns, c)
}

// Field returns the column of the field with the name in the schema, or nil.
func (t *Table) Field(name string) *Column {
	for _, c := range t.Columns {
		if c.Field == name {
			return c
		}
	}
	return nil
}

// Follows reports whether the column follows from another one in every write.
func (t *Table) Follows(column string) bool {
	return slices.ContainsFunc(t.follows, func(f follow) bool { return t.Columns[f.column].Name == column })
}

// Positive is the column of the number that a flag follows from ([expose.Positive]),
// empty where the column is no such flag.
func (t *Table) Positive(column string) string {
	for _, f := range t.follows {
		if f.as == expose.FollowPositive && t.Columns[f.column].Name == column {
			return t.Columns[f.of].Name
		}
	}
	return ""
}

// names are those of all columns, the id's first.
func (t *Table) names() []string {
	names := make([]string, 1, len(t.Columns)+1)
	names[0] = t.id
	for _, c := range t.Columns {
		names = append(names, c.Name)
	}
	return names
}
