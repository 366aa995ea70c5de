package model

import (
	"slices"
	"strings"

	"entgo.io/contrib/entgql"
	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/expose"
)

// checkGraphQL refuses what entgql's annotations say that the APIs do not do.
func (m *Model) checkGraphQL() (errs []error) {
	for _, t := range m.Graph.Nodes {
		c := checker{Entity: &Entity{Type: t}, errs: &errs, all: m.Entities}
		exposed := m.entity(t.Name) != nil
		if exposed {
			c.Entity = m.entity(t.Name)
		}
		if a, ok := c.graphQL("", t.Annotations); ok && exposed {
			c.graphQLType(a)
		} else if ok && a.Skip == 0 {
			c.wrong("", "entgql: without expose.Resource the entity is in no API, so only entgql.Skip() is allowed")
		}
		if !exposed {
			continue
		}
		for _, f := range append([]*gen.Field{t.ID}, t.Fields...) {
			if a, ok := c.graphQL(f.Name, f.Annotations); ok {
				c.graphQLField(f, a)
			}
		}
		for _, e := range t.Edges {
			if a, ok := c.graphQL(e.Name, e.Annotations); ok {
				c.graphQLEdge(e, a)
			}
		}
	}
	return errs
}

// graphQL is entgql's annotation, checked for what is refused wherever it stands.
func (c checker) graphQL(name string, annotations gen.Annotations) (a entgql.Annotation, ok bool) {
	ok, err := Annotation(annotations, &a)
	if err != nil {
		c.wrong(name, "entgql: %v", err)
		return a, false
	}
	if len(a.Directives) > 0 {
		c.wrong(name, "entgql.Directives(%q): the schema of GraphQL has no directives of its own: expose.Deprecated says when a field or an operation ends", a.Directives[0].Name)
	}
	return a, ok
}

// graphQLType checks what is said of an entity that the APIs show.
func (c checker) graphQLType(a entgql.Annotation) {
	if a.Skip != 0 {
		c.wrong("", "entgql.Skip: expose.Resource shows the entity in both APIs: leave that out, or name the operations that there are in its Operations")
	}
	if a.Type != "" && a.Type != c.Name {
		c.wrong("", "entgql.Type(%q): the type is named as the entity is, %s", a.Type, c.Name)
	}
	if i := slices.IndexFunc(a.Implements, func(name string) bool { return name != "Node" }); i >= 0 {
		c.wrong("", "entgql.Implements(%q): Node is the interface that every type implements, and no other is allowed", a.Implements[i])
	}
	if q := a.QueryField; q != nil {
		name := naming.Camel(strings.NewReplacer("-", "_", "/", "_").Replace(c.Path)) + "Connection"
		if q.Name != name || !c.Offers(expose.List) || q.Description != "" || len(q.Directives) > 0 {
			c.wrong("", "entgql.QueryField(%q): a listing is the query %s, where the Operations of expose.Resource have expose.List: %q alone is allowed", q.Name, name, name)
		}
	}
	for _, m := range a.MutationInputs {
		operation, of := expose.Patch, "entgql.MutationUpdate()"
		if m.IsCreate {
			operation, of = expose.Create, "entgql.MutationCreate()"
		}
		if !c.Offers(operation) {
			c.wrong("", "entgql.Mutations: %s: the Operations of expose.Resource say what clients can do, and have no %q", of, operation)
		}
		if m.Description != "" {
			c.wrong("", "entgql.Mutations: %s: its description %q: inputs are described by the comments of the entity and its fields", of, m.Description)
		}
	}
}

// graphQLField checks what is said of a field.
func (c checker) graphQLField(f *gen.Field, a entgql.Annotation) {
	name := naming.GraphQL(f.Name)
	if a.Type != "" {
		c.wrong(f.Name, "entgql.Type(%q): the type in GraphQL follows from the type of the field", a.Type)
	}
	if len(a.Mapping) > 0 && !slices.Equal(a.Mapping, []string{name}) {
		c.wrong(f.Name, "entgql.MapsTo(%q): the field is %s in GraphQL, and expose.Also gives it a second name", a.Mapping[0], name)
	}
	if order := strings.ToUpper(f.Name); a.OrderField != "" && a.OrderField != order {
		c.wrong(f.Name, "entgql.OrderField(%q): the order by the field is %s in GraphQL: entgql.OrderField(%q), or expose.By(expose.Sort), is allowed", a.OrderField, order, order)
	}
	if a.QueryField != nil || len(a.MutationInputs)+len(a.Implements) > 0 {
		c.wrong(f.Name, "entgql: QueryField, Mutations and Implements are said of an entity, not of a field")
	}
	if f.Name == "id" && a.Skip != 0 {
		c.wrong(f.Name, "entgql.Skip: every row is shown with its id")
		return
	}
	if a.Skip&entgql.SkipEnumField != 0 && a.Skip&whole != whole {
		c.wrong(f.Name, "entgql.Skip(entgql.SkipEnumField): the values of a field that is shown are an enum in GraphQL: entgql.Skip() is allowed")
	}
	if a.Skip&unset == entgql.SkipMutationCreateInput {
		c.wrong(f.Name, "entgql.Skip(entgql.SkipMutationCreateInput): a field that clients set in updates, but not in creates, is not known: with entgql.SkipMutationUpdateInput it is allowed")
	}
}

// graphQLEdge checks what is said of an edge.
func (c checker) graphQLEdge(e *gen.Edge, a entgql.Annotation) {
	name := naming.Camel(e.Name)
	if a.OrderField != "" {
		c.wrong(e.Name, "entgql.OrderField(%q): listings are sorted by fields: one of the entity by expose.CountOf is allowed", a.OrderField)
	}
	if len(a.Mapping) > 0 && !slices.Equal(a.Mapping, []string{name}) {
		c.wrong(e.Name, "entgql.MapsTo(%q): the edge is %s in GraphQL", a.Mapping[0], name)
	}
	if a.Type != "" || a.QueryField != nil || len(a.MutationInputs)+len(a.Implements) > 0 {
		c.wrong(e.Name, "entgql: Type, QueryField, Mutations and Implements are said of an entity, not of an edge")
	}
	var says expose.Edge
	if _, err := Annotation(e.Annotations, &says); err == nil && says.Attached && a.Skip&unset != 0 {
		c.wrong(e.Name, "entgql.Skip: expose.Attached has clients set the edge, and entgql.Skip keeps it out of inputs: one of the two is allowed")
	}
}
