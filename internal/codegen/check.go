package main

import (
	"fmt"
	"regexp"
	"strings"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/internal/expose"
)

// problemAt names the schema's file and field in an error.
func problemAt(t *gen.Type, name string, err error) error {
	file := "schema/" + snake(t.Name) + ".go"
	if name == "" {
		return fmt.Errorf("%s: %s: %w", file, t.Name, err)
	}
	return fmt.Errorf("%s: %s.%s: %w", file, t.Name, name, err)
}

var pathSegment = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*(/[a-z][a-z0-9]*(-[a-z0-9]+)*)?$`)

// check refuses annotations that say something impossible.
func (m *Model) check() error {
	paths := map[string]*Entity{}
	for _, e := range m.Entities {
		if !pathSegment.MatchString(e.Path) {
			return problemAt(e.Type, "", fmt.Errorf("path %q: lower-case words joined by hyphens are allowed, such as \"cart-items\"", e.Path))
		}
		if other, taken := paths[e.Path]; taken && e.Under == "" {
			return problemAt(e.Type, "", fmt.Errorf("path %q is %s's already", e.Path, other.Name))
		}
		paths[e.Path] = e
		if err := e.check(); err != nil {
			return err
		}
	}
	return nil
}

func (e *Entity) check() error {
	for _, o := range append(append([]expose.Operation{}, e.Operations...), e.ByHand...) {
		if !contains(expose.CRUD(), o) {
			return problemAt(e.Type, "", fmt.Errorf("operation %q: %s are allowed", o, list(expose.CRUD())))
		}
	}
	for _, term := range strings.FieldsFunc(e.Sort, func(r rune) bool { return r == ',' }) {
		f := e.Field(strings.TrimPrefix(term, "-"))
		if f == nil || !f.SortBy() {
			return problemAt(e.Type, "", fmt.Errorf("sort %q: fields with expose.By(expose.Sort) are allowed: %s", e.Sort, strings.Join(e.sortable(), ", ")))
		}
	}
	if e.Sort == "" && e.Has(expose.List) && e.Field("created_at") == nil {
		return problemAt(e.Type, "", fmt.Errorf("no order: use the Base mixin, or name one in expose.Resource.Sort"))
	}
	if e.Under != "" && e.edge(e.Under) == nil {
		return problemAt(e.Type, "", fmt.Errorf("under %q: not an edge that is shown", e.Under))
	}
	for _, f := range e.Fields {
		if err := e.checkField(f); err != nil {
			return problemAt(e.Type, f.Name, err)
		}
	}
	return e.checkEdges()
}

func (e *Entity) checkField(f *Field) error {
	for _, use := range f.By {
		if !contains([]expose.Use{expose.Filter, expose.Sort, expose.Search}, use) {
			return fmt.Errorf("expose.By(%q): filter, sort and search are allowed", use)
		}
	}
	if f.SearchBy() && f.Kind != "String" {
		return fmt.Errorf("expose.Search: only text can be searched, not %s", strings.ToLower(f.Kind))
	}
	if (f.SortBy() || f.FilterBy()) && f.Kind == "JSON" {
		return fmt.Errorf("expose.By: a JSON field can be neither filtered nor sorted")
	}
	if f.Currency != "" {
		if c := e.Field(f.Currency); c == nil || c.Kind != "String" {
			return fmt.Errorf("expose.Money(%q): a text field of the same entity that holds an ISO 4217 code is allowed", f.Currency)
		}
		if !f.Type.Type.Type.Integer() {
			return fmt.Errorf("expose.Money: an integer of minor units is allowed, not %s", f.Type.Type)
		}
	}
	if f.Caller && f.Ref != "User" {
		return fmt.Errorf("expose.Caller: a foreign key to User is allowed")
	}
	if other := e.restName(f); other != nil {
		return fmt.Errorf("the REST name %q is %s's already", f.REST, other.Name)
	}
	return nil
}

func (e *Entity) restName(f *Field) *Field {
	for _, other := range e.Fields {
		if other != f && other.REST == f.REST {
			return other
		}
	}
	return nil
}

func (e *Entity) checkEdges() error {
	for _, edge := range e.Edges {
		for _, o := range edge.Nested {
			if edge.Type.Unique {
				return problemAt(e.Type, edge.Name, fmt.Errorf("expose.Nested: an edge to many is allowed"))
			}
			if !contains([]expose.Operation{expose.List, expose.Read, expose.Create}, o) {
				return problemAt(e.Type, edge.Name, fmt.Errorf("expose.Nested(%q): list, read and create are allowed", o))
			}
		}
		if edge.Through && !edge.Type.Unique {
			return problemAt(e.Type, edge.Name, fmt.Errorf("expose.Through: an edge to one is allowed"))
		}
	}
	return nil
}

func (e *Entity) sortable() []string {
	var names []string
	for _, f := range e.Fields {
		if f.SortBy() {
			names = append(names, f.Name)
		}
	}
	return names
}

func (e *Entity) edge(name string) *Edge {
	for _, edge := range e.Edges {
		if edge.Name == name {
			return edge
		}
	}
	return nil
}

func contains[T comparable](all []T, one T) bool {
	for _, t := range all {
		if t == one {
			return true
		}
	}
	return false
}

func list[T ~string](all []T) string {
	var names []string
	for _, t := range all {
		names = append(names, string(t))
	}
	return strings.Join(names, ", ")
}
