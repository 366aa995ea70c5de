package model

import (
	"fmt"
	"maps"
	"slices"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/codegen/facts"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
)

// checkFacts checks what a program could tell of the schemas: policies against
// the columns that there are, and defaults that validators refuse. Schemas
// that no API shows are checked too.
func (m *Model) checkFacts(told []facts.Entity) []error {
	var errs []error
	for _, f := range told {
		t := m.node(f.Name)
		if t == nil {
			continue
		}
		c := rulesChecker{tables: m.tables(), own: t, caller: m.Caller(), errs: &errs}
		if n := len(f.Resources); n > 1 {
			errs = append(errs, ProblemAt(t, "", fmt.Errorf("expose.Resource with the path %q: the entity has %d of them, of which the first would count: say all in one", f.Resources[n-1], n)))
		}
		for _, r := range f.Refused {
			errs = append(errs, ProblemAt(t, r.Field, fmt.Errorf("default: the field refuses it: %s", r.Reason)))
		}
		errs = append(errs, m.checkUnheld(t, f.Unheld)...)
		if f.Rules != nil {
			c.rules(m.entity(f.Name), f.Rules)
			c.with(m, f.Rules.With)
			errs = append(errs, checkFollowed(m.entity(f.Name), f.Rules.Read)...)
		}
		for _, k := range f.Kept {
			c.kept(k)
		}
		errs = append(errs, m.checkAttach(t, f)...)
		errs = append(errs, m.checkRoles(f)...)
	}
	for _, e := range m.Entities {
		errs = append(errs, m.rulesOfActions(e, told)...)
	}
	return errs
}

// rulesChecker checks a policy.
type rulesChecker struct {
	tables map[string]*gen.Type
	own    *gen.Type
	caller string // the entity of callers, empty if it is not known
	errs   *[]error
	// says names the declaration with the condition, where that is no policy.
	says string
}

func (c rulesChecker) wrong(format string, args ...any) {
	*c.errs = append(*c.errs, ProblemAt(c.own, "", fmt.Errorf(c.says+format, args...)))
}

func (c rulesChecker) rules(e *Entity, rules *facts.Rules) {
	switch kept := SoftDeleted(c.own); {
	case rules.SoftDelete && !kept:
		c.wrong("policy.Rules: SoftDelete is set, but there is no mixin SoftDelete")
	case kept && !rules.SoftDelete && e != nil:
		c.wrong("policy.Rules: with the mixin SoftDelete, SoftDelete is to be set: else deleted rows are read")
	}
	for _, term := range rules.Terms {
		c.term(term)
	}
	if e == nil {
		return
	}
	if slices.Contains(rules.Verbs, policy.ReadWhole) && len(e.Public) == 0 {
		c.wrong("policy.Rules: the verb %q has a rule, but no field is public: expose.Resource.Public names those that other callers see", policy.ReadWhole)
	}
	verbs := map[expose.Operation]string{
		expose.Create: policy.Create, expose.Replace: policy.Update, expose.Patch: policy.Update, expose.Delete: policy.Delete,
	}
	missed := ""
	for _, o := range e.Operations {
		if verb := verbs[o]; verb != "" && verb != missed && !slices.Contains(rules.Verbs, verb) {
			missed = verb
			c.wrong("policy.Rules: operation %q is generated, but the verb %q has no rule: policy.Nobody() refuses every caller", o, verb)
		}
	}
}

// kept checks what a hook keeps.
func (c rulesChecker) kept(k policy.Kept) {
	says := fmt.Sprintf("%s(%q)", k.Says, k.Table)
	if k.Per != "" {
		says = fmt.Sprintf("%s(%q, %q)", k.Says, k.Table, k.Per)
	}
	if c.tables[k.Table] == nil {
		c.wrong("%s: there is no table %q: %s are allowed", says, k.Table, list(slices.Sorted(maps.Keys(c.tables))))
		return
	}
	if k.Per != "" {
		c.column(says, k.Table, k.Per)
	}
	c.says = says + ": "
	for _, term := range k.Terms {
		c.term(term)
	}
}

// term checks a condition against its column.
func (c rulesChecker) term(t policy.Term) {
	table := c.own.Table()
	if t.Table != "" {
		table = t.Table
	}
	if c.tables[table] == nil {
		return // the check of the rule that leads there reports it
	}
	says := fmt.Sprintf("%s(%q)", t.Says, t.Column)
	f := c.column(says, table, t.Column)
	if f == nil {
		return
	}
	switch t.Says {
	case "policy.Owner", "policy.KeyOwner":
		if !f.Type.Type.Integer() {
			c.wrong("%s: the id of %s is compared, but %s.%s is %s", says, map[bool]string{true: "a user", false: "an API key"}[t.Says == "policy.Owner"], table, t.Column, f.Type)
			return
		}
		if to := c.leads(table, f); t.Says == "policy.Owner" && to != "" && c.caller != "" && to != c.caller {
			c.wrong("%s: the id of a user is compared, but %s.%s leads to %s", says, table, t.Column, to)
		}
	case "policy.Null":
		if !f.Optional && f != c.tables[table].ID {
			c.wrong("%s: %s.%s is never null: Optional and Nillable columns are allowed", says, table, t.Column)
		}
	case "policy.Is", "policy.In":
		if Scanned(f) || Valued(f) {
			c.wrong("%s: %s.%s has values in a form of their own, which no query compares", says, table, t.Column)
			return
		}
		c.compares(fmt.Sprintf("%s(%q, %#v)", t.Says, t.Column, t.Value), table, f, t.Value)
	case "policy.Less":
		c.less(t, table, f)
	default:
		c.related(t, says, table, f)
	}
}

// compares checks what a column is compared with.
func (c rulesChecker) compares(says, table string, f *gen.Field, value any) {
	ok, allowed := false, fmt.Sprintf("%s.%s is %s", table, f.StorageKey(), f.Type)
	switch v := value.(type) {
	case string:
		ok = f.IsString() || f.IsEnum()
		if f.IsEnum() && !slices.Contains(f.EnumValues(), v) {
			ok, allowed = false, fmt.Sprintf("%s.%s is one of %s", table, f.StorageKey(), list(f.EnumValues()))
		}
	case bool:
		ok = f.IsBool()
	case int:
		ok = f.Type.Type.Integer()
	case float64: // a number, after JSON
		ok = f.Type.Type.Integer() && v == float64(int64(v))
	}
	if !ok {
		c.wrong("%s: %s", says, allowed)
	}
}

// less checks that two columns have an order in both databases and in memory.
func (c rulesChecker) less(t policy.Term, table string, f *gen.Field) {
	says := fmt.Sprintf("policy.Less(%q, %q)", t.Column, t.Other)
	other := c.column(says, table, t.Other)
	if other == nil {
		return
	}
	alike := f.Type.Type.Integer() && other.Type.Type.Integer() || f.Type.Type.Float() && other.Type.Type.Float() || f.IsTime() && other.IsTime()
	if !alike {
		c.wrong("%s: two numbers of a kind, or two times, are compared, but %s.%s is %s, and %s.%s is %s", says, table, t.Column, f.Type, table, t.Other, other.Type)
	}
}

func (c rulesChecker) related(t policy.Term, says, table string, f *gen.Field) {
	if to := c.entity(t.Through); to != nil && to.Table() != t.ForeignTable {
		c.wrong("policy.Through(%q, %q, %s{}): the table of %s is %q", t.Column, t.ForeignTable, t.Through, t.Through, to.Table())
		return
	}
	foreign := c.column(fmt.Sprintf("%s(%q, %q)", t.Says, t.Column, t.ForeignTable), t.ForeignTable, t.Foreign)
	if foreign == nil {
		return
	}
	if f.Type.Type.Integer() != foreign.Type.Type.Integer() || !f.Type.Type.Integer() && f.Type.Type != foreign.Type.Type {
		c.wrong("%s: %s.%s is %s, and %s.%s is %s", says, table, t.Column, f.Type, t.ForeignTable, t.Foreign, foreign.Type)
	}
}

// entity is the type with the name, nil where there is none.
func (c rulesChecker) entity(name string) *gen.Type {
	for _, t := range c.tables {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// column returns the field of the column, and reports a missing one.
func (c rulesChecker) column(says, table, column string) *gen.Field {
	t := c.tables[table]
	if t == nil {
		c.wrong("%s: there is no table %q", says, table)
		return nil
	}
	if t.ID != nil && column == t.ID.StorageKey() {
		return t.ID
	}
	f := fieldOf(t, column)
	if f == nil {
		c.wrong("%s: %s has no column %q: %s are allowed", says, table, column, columns(t, func(*gen.Field) bool { return true }))
	}
	return f
}

// leads returns the entity that the foreign key leads to, "" where it is none.
func (c rulesChecker) leads(table string, f *gen.Field) string {
	t := c.tables[table]
	if f == t.ID {
		return t.Name
	}
	for _, edge := range t.Edges {
		if edge.Field() == f {
			return edge.Type.Name
		}
	}
	return ""
}

func (m *Model) node(name string) *gen.Type {
	i := slices.IndexFunc(m.Graph.Nodes, func(t *gen.Type) bool { return t.Name == name })
	if i < 0 {
		return nil
	}
	return m.Graph.Nodes[i]
}

func (m *Model) entity(name string) *Entity {
	i := slices.IndexFunc(m.Entities, func(e *Entity) bool { return e.Name == name })
	if i < 0 {
		return nil
	}
	return m.Entities[i]
}

// tables are the types by the names of their tables, those between two
// entities too.
func (m *Model) tables() map[string]*gen.Type {
	all := map[string]*gen.Type{}
	for _, t := range m.Graph.Nodes {
		all[t.Table()] = t
		for _, edge := range t.Edges {
			if edge.M2M() && !edge.IsInverse() && all[edge.Rel.Table] == nil {
				all[edge.Rel.Table] = between(edge)
			}
		}
	}
	return all
}

// between is a stand-in for the type of the rows between two entities.
func between(edge *gen.Edge) *gen.Type {
	t := &gen.Type{Name: edge.Rel.Table}
	for _, column := range edge.Rel.Columns {
		f := *edge.Type.ID
		f.Name = column
		t.Fields = append(t.Fields, &f)
	}
	return t
}
