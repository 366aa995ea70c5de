package model

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/viewer"
)

// checker collects what annotations say that is impossible: every mistake at
// once, each with its file, its field and what is allowed.
type checker struct {
	*Entity
	errs *[]error
	// all are the exposed entities.
	all []*Entity
	// caller is the entity of callers.
	caller string
	// roles are those of users, nil where any is allowed.
	roles []viewer.Role
}

func (c checker) wrong(name, format string, args ...any) {
	*c.errs = append(*c.errs, ProblemAt(c.Type, name, fmt.Errorf(format, args...)))
}

// check refuses annotations that say something impossible.
func (m *Model) check() []error {
	var errs []error
	paths := map[string]*Entity{}
	takers := map[*Entity]*Edge{}
	tables := m.tables()
	caller, roles := m.Caller(), m.Roles()
	for _, e := range m.Entities {
		c := checker{e, &errs, m.Entities, caller, roles}
		if e.Under == "" {
			if other, taken := paths[e.Path]; taken {
				c.wrong("", "path %q is %s's already", e.Path, other.Name)
			}
			paths[e.Path] = e
		}
		c.resource()
		c.keyed()
		c.viewed()
		c.endings()
		c.topics()
		c.changes(tables)
		c.files(tables)
		c.live(tables)
		c.presence()
		c.derived()
		c.calcs()
		c.states()
		c.checks(tables)
		c.actions(tables, m.Jobs())
		c.marks()
		c.many()
		c.unread()
		c.stored()
		for _, f := range e.Type.Fields {
			c.field(f)
		}
		for _, f := range e.Fields {
			c.shown(f)
		}
		for _, edge := range e.Type.Edges {
			c.relates(edge)
		}
		for _, edge := range e.Edges {
			if other := takers[edge.To]; edge.Deleted && other != nil {
				c.wrong(edge.Name, "expose.DeletedWith: %s is deleted with another entity already, and a restore could not tell them apart", edge.To.Name)
			} else if edge.Deleted {
				takers[edge.To] = edge
			}
		}
	}
	errs = append(errs, m.checkQueries()...)
	errs = append(errs, m.checkSubscriptions()...)
	return append(errs, m.checkCalls()...)
}

var pathForm = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*(/[a-z][a-z0-9]*(-[a-z0-9]+)*)?$`)

// resource checks what expose.Resource says, but for its events.
func (c checker) resource() {
	if !pathForm.MatchString(c.Path) {
		c.wrong("", "path %q: one or two parts of lower-case words joined by hyphens are allowed, such as \"api-keys\" or \"cart/items\"", c.Path)
	}
	if c.Type.NumPolicy() == 0 {
		c.wrong("", "no policy: a method Policy that returns policy.Rules is needed, which says who may read and write the rows")
	}
	c.operations()
	c.order()
	if c.Limit < 0 || c.Limit > 100 {
		c.wrong("", "limit %d: 1 to 100 are allowed, or 0 for the usual 20", c.Limit)
	}
	if c.Key != "" && (c.KeyField == nil || c.KeyField.Kind != "String" || !c.distinct(c.KeyField)) {
		c.wrong("", "key %q: a text field with a unique index of its own is allowed", c.Key)
	}
	c.fullText()
	for name := range c.Names {
		if c.Field(name) == nil {
			c.wrong("", "names %q: the fields that are shown are allowed: %s", name, c.names(shown))
		}
	}
	for _, name := range c.Public {
		if c.Field(name) == nil {
			c.wrong("", "public %q: the fields that are shown are allowed: %s", name, c.names(shown))
		}
	}
}

func (c checker) operations() {
	all := append(slices.Clone(c.Operations), c.ByHand...)
	for i, o := range all {
		if !slices.Contains(expose.CRUD(), o) {
			c.wrong("", "operation %q: %s are allowed", o, list(expose.CRUD()))
		}
		if slices.Contains(all[:i], o) {
			c.wrong("", "operation %q is named twice: it is either generated or by hand", o)
		}
	}
	if c.Under == "" {
		return
	}
	if edge := c.SchemaEdge(c.Under); edge == nil || !edge.Unique || !edge.OwnFK() || edge.Optional {
		c.wrong("", "under %q: a required edge to one, with a foreign key of this entity, is allowed", c.Under)
	}
	for _, o := range all {
		if !slices.Contains([]expose.Operation{expose.Read, expose.Replace, expose.Patch}, o) {
			c.wrong("", "operation %q: of an entity under another, which has one of it, read, replace and patch are allowed", o)
		}
	}
}

func (c checker) order() {
	for term := range strings.SplitSeq(c.Sort, ",") {
		if f := c.Field(strings.TrimPrefix(term, "-")); c.Sort != "" && (f == nil || !f.SortBy()) {
			c.wrong("", "sort %q: fields with expose.By(expose.Sort) are allowed: %s", term, c.names((*Field).SortBy))
		}
	}
	if f := c.Field("created_at"); c.Sort == "" && (f == nil || !f.SortBy()) {
		c.wrong("", "no order: use the mixin Base or Record, or name one in expose.Resource.Sort")
	}
}

// distinct reports whether no two rows that are there have the same value of the field.
func (e *Entity) distinct(f *Field) bool {
	if f.Unique || f.Type.Unique {
		return true
	}
	return slices.ContainsFunc(e.Type.Indexes, func(i *gen.Index) bool {
		return i.Unique && len(i.Columns) == 1 && i.Columns[0] == f.Type.StorageKey()
	})
}

// names lists the names of the fields that have a property.
func (e *Entity) names(has func(*Field) bool) string {
	var names []string
	for _, f := range e.Fields {
		if has(f) {
			names = append(names, f.Name)
		}
	}
	return strings.Join(names, ", ")
}

func shown(*Field) bool { return true }

func list[T ~string](all []T) string {
	var names []string
	for _, t := range all {
		names = append(names, string(t))
	}
	return strings.Join(names, ", ")
}
