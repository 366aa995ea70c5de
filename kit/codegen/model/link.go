package model

import (
	"errors"
	"fmt"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/codegen/facts"
)

// Linked is a type whose policy is of this kit.
type Linked struct {
	*gen.Type
	// Links are the edges by which mutations name rows that have such a policy, too.
	Links []Link
	// Mixed is set where rules of mixins are among its own.
	Mixed bool
}

// Link describes an edge to package policy: see [policy.Link].
type Link struct {
	Edge, Table, Column, Between, Near, Far, ID, Key string
	To                                               Linked
	Caller                                           bool
}

// Rules is the Go expression of the rules, without links.
func (l Linked) Rules() string {
	if TenantOf(l.Type) != nil {
		return "tenancy." + l.Name + "()"
	}
	return "policy.Of(schema." + l.Name + "{})"
}

// Linked are the types whose rules package ent/links has: those with links,
// those whose rows belong to tenants, and those with rules of mixins.
func (m *Model) Linked() (all []Linked) {
	for _, t := range m.Graph.Nodes {
		if l := m.linked(t); l != nil {
			all = append(all, *l)
		}
	}
	return all
}

// LinksOf reports whether package ent/links has the rules of the entity.
func (m *Model) LinksOf(e *Entity) bool { return m.linked(e.Type) != nil }

func (m *Model) linked(t *gen.Type) *Linked {
	if !m.ruled[t.Name] && TenantOf(t) == nil {
		return nil
	}
	l := &Linked{Type: t, Mixed: m.mixed[t.Name]}
	for _, edge := range t.Edges {
		if m.ruled[edge.Type.Name] && !ofTenant(t, edge) {
			link := linkOf(edge)
			link.ID = KeyColumn(t)
			l.Links = append(l.Links, link)
		}
	}
	if len(l.Links) == 0 && TenantOf(t) == nil && !m.mixed[t.Name] {
		return nil
	}
	return l
}

// ofTenant reports whether the edge leads to the row's tenant, which the service sets.
func ofTenant(t *gen.Type, edge *gen.Edge) bool {
	tenant := TenantOf(t)
	return tenant != nil && edge.OwnFK() && edge.Rel.Column() == tenant.StorageColumn() && !tenant.Users
}

func linkOf(edge *gen.Edge) Link {
	l := Link{Edge: edge.Name, Table: edge.Type.Table(), Key: KeyColumn(edge.Type), To: Linked{Type: edge.Type}}
	switch {
	case edge.M2M() && edge.IsInverse():
		l.Between, l.Near, l.Far = edge.Rel.Table, edge.Rel.Columns[1], edge.Rel.Columns[0]
	case edge.M2M():
		l.Between, l.Near, l.Far = edge.Rel.Table, edge.Rel.Columns[0], edge.Rel.Columns[1]
	case edge.OwnFK():
		l.Column = edge.Rel.Column()
	default:
		l.Between, l.Near = edge.Type.Table(), edge.Rel.Column()
	}
	if f := edge.Field(); f != nil {
		a, err := FieldAnnotation(f.Annotations)
		l.Caller = err == nil && a.Caller
	}
	return l
}

// Written lists the edges by which clients link rows of the entity to others.
func (e *Entity) Written() (edges []*Edge) {
	for _, g := range e.Edges {
		if g.Tree != nil || g.Now != nil {
			continue
		}
		if f := g.Type.Field(); g.Edge.Attached || g.Type.OwnFK() && f != nil && e.Field(f.Name) != nil && e.Field(f.Name).OnCreate() {
			edges = append(edges, g)
		}
	}
	return edges
}

// checkAttach checks what policy.Attach says of the edges of a type.
func (m *Model) checkAttach(t *gen.Type, told facts.Entity) (errs []error) {
	for _, edge := range t.Edges {
		rule, says := told.Attach[edge.Name]
		if !says {
			continue
		}
		if !m.ruled[edge.Type.Name] {
			errs = append(errs, ProblemAt(t, edge.Name, fmt.Errorf("policy.Attach: the policy of %s is no policy.Rules, so that all its rows can be attached", edge.Type.Name)))
			continue
		}
		var found []error
		c := rulesChecker{tables: m.tables(), own: edge.Type, caller: m.Caller(), errs: &found, says: "policy.Attach: "}
		for _, term := range rule.Terms() {
			c.term(term)
		}
		for _, err := range found {
			if at, ok := errors.AsType[*SchemaError](err); ok {
				errs = append(errs, ProblemAt(t, edge.Name, at.Err))
			}
		}
	}
	return errs
}
