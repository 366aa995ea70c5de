// Package plan compiles the selection of a root field for package read: its fields
// and edges to a [read.Selection], its arguments to a [read.Query].
//
// The [Table] of an entity describes its types. A [Root] plans one field of Query:
// those for one row and for a connection of an entity follow from the schema (see
// [Roots]); others are written by hand with the methods of [Planner]. A plan runs
// no statement until its [Read] is called.
package plan

import (
	"fmt"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/internal/graph/deferral"
	"github.com/entwine-go/entwine/kit/internal/graph/failure"
	"github.com/entwine-go/entwine/kit/internal/graph/prepared"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Planner compiles the selection of a root field for one viewer. It reads nothing:
// a plan depends on the document, the variables and the viewer's class alone.
type Planner struct {
	Op     *graphql.OperationContext
	Viewer *viewer.Viewer
	Tables Tables
	// Fragments are set where what is deferred comes later.
	Fragments *deferral.Fragments
	// Prepared is the cached document, and Alias the alias of the root field that is
	// planned. Nothing is kept where one is not set.
	Prepared *prepared.Operation
	Alias    string
}

// table returns the entity's table.
func (p *Planner) table(e *entity.Entity) *Table { return p.Tables[e.Name] }

// selection starts an empty selection of the entity.
func (p *Planner) selection(e *entity.Entity) *read.Selection {
	return read.SelectGlobal(e, p.table(e).links)
}

// Collect returns the selected fields: fragments, aliases and directives are
// resolved, and fields that are selected several times are one.
func (p *Planner) Collect(set ast.SelectionSet, types []string) []graphql.CollectedField {
	return graphql.CollectFields(p.Op, set, types)
}

// Selection compiles what is selected of an entity.
func (p *Planner) Selection(e *entity.Entity, set ast.SelectionSet) (*read.Selection, error) {
	s := p.selection(e)
	return s, p.fill(s, set)
}

// fill adds what is selected of the entity to the listing's selection.
func (p *Planner) fill(s *read.Selection, set ast.SelectionSet) error {
	t := p.table(s.Entity)
	set, later := p.Fragments.Divide(set, t.types)
	for _, f := range p.Collect(set, t.types) {
		if f.Name == "__typename" {
			s.Raw(f.Alias, t.typename)
			continue
		}
		if err := p.member(s, t, f); err != nil {
			return err
		}
	}
	for _, fragment := range later {
		sub, err := p.Selection(s.Entity, fragment.Set)
		if err != nil {
			return err
		}
		s.Defer(fragment.Label, sub)
	}
	return nil
}

func (p *Planner) member(s *read.Selection, t *Table, f graphql.CollectedField) error {
	m, ok := t.members[f.Name]
	switch {
	case !ok:
		return fmt.Errorf("no plan for %s.%s", t.Name, f.Name)
	case m.field != nil:
		p.field(s, m.field, f)
		return nil
	case m.calc != nil:
		p.calc(s, m.calc, f)
		return nil
	case m.edge.Many:
		return p.many(s, m, f)
	}
	sub, err := p.Selection(m.edge.To, f.Selections)
	if err != nil {
		return err
	}
	s.One(f.Alias, m.edge, sub, f.Definition.Type.NonNull)
	return nil
}

// field selects a field, which is null with an error for those who may not see it.
func (p *Planner) field(s *read.Selection, field *entity.Field, f graphql.CollectedField) {
	if field.Kind == entity.Objects {
		s.Objects(f.Alias, field, p.objects(field, f))
		return
	}
	denied := func() error { return failure.At(f, policy.Denied(p.Viewer)) }
	switch all, some := field.Sees(p.Viewer); {
	case all:
		s.Field(f.Alias, field)
	case some:
		s.Guarded(f.Alias, field, denied(), f.Definition.Type.NonNull)
	default:
		s.Deny(f.Alias, denied(), f.Definition.Type.NonNull)
	}
}

// objects are the members that are selected of each object of a list.
func (p *Planner) objects(field *entity.Field, f graphql.CollectedField) []read.ObjectPart {
	name := f.Definition.Type.Name()
	var parts []read.ObjectPart
	for _, selected := range p.Collect(f.Selections, []string{name}) {
		part := read.ObjectPart{Key: selected.Alias}
		if selected.Name == "__typename" {
			part.Raw = strconv.Quote(name)
		}
		for _, m := range field.Members {
			if m.GraphQL == selected.Name {
				part.Member = m
			}
		}
		parts = append(parts, part)
	}
	return parts
}

// many selects an edge to many: as a list, or as a connection. Arguments that
// are refused make it null, with one error for all rows; so does a cursor that belongs
// to another listing.
func (p *Planner) many(s *read.Selection, m member, f graphql.CollectedField) error {
	a := p.Arguments(f)
	if m.connection {
		q, err := p.Page(m.edge.To, a, PageSize)
		if err != nil {
			s.Deny(f.Alias, failure.Argument(f, err), f.Definition.Type.NonNull)
			return nil
		}
		sub, shape, err := p.shape(m.edge.To, f.Selections)
		if err != nil {
			return err
		}
		shape.At = func(err error) error { return failure.Argument(f, err) }
		s.Many(f.Alias, m.edge, sub, q, shape)
		return nil
	}
	q, err := p.list(m.edge.To, a)
	if err != nil {
		s.Deny(f.Alias, failure.Argument(f, err), f.Definition.Type.NonNull)
		return nil
	}
	sub, err := p.Selection(m.edge.To, f.Selections)
	if err != nil {
		return err
	}
	s.Many(f.Alias, m.edge, sub, q, nil)
	return nil
}

// list is the part of a listing that a plain list asks for.
func (p *Planner) list(e *entity.Entity, a Arguments) (read.Query, error) {
	q, err := p.query(e, a)
	if err != nil {
		return q, err
	}
	q.Page.Limit, err = a.Size("first", read.MaxLimit)
	return q, err
}

// query is the filter and the order that a field asks for.
func (p *Planner) query(e *entity.Entity, a Arguments) (q read.Query, err error) {
	if q.Where, err = p.where(e, a["where"]); err != nil {
		return q, err
	}
	q.Sort, err = p.order(e, a["orderBy"])
	return q, err
}
