package plan

import (
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/internal/graph/deferral"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
)

// PageSize is that of a connection below the root.
const PageSize = 20

// Page is the part of a listing that a connection asks for: size rows where it
// does not say how many.
func (p *Planner) Page(e *entity.Entity, a Arguments, size int) (read.Query, error) {
	q, err := p.query(e, a)
	if err != nil {
		return q, err
	}
	_, first := a["first"]
	_, last := a["last"]
	if first && last {
		return q, problem.Inputs(problem.Invalidf("last", nil, "cannot be combined with first"))
	}
	name := "first"
	if last {
		name, q.Page.Backward = "last", true
	}
	if q.Page.Limit, err = a.Size(name, size); err != nil {
		return q, err
	}
	if q.Page.After, err = a.Cursor("after"); err != nil {
		return q, err
	}
	q.Page.Before, err = a.Cursor("before")
	return q, err
}

// shape compiles what is selected of a connection. Rows that are shown in
// several places are read once, with all that any of them shows.
func (p *Planner) shape(e *entity.Entity, set ast.SelectionSet) (*read.Selection, *read.Shape, error) {
	c := connection{Planner: p, Table: p.table(e), rows: p.selection(e)}
	parts, err := c.parts(set)
	if err != nil {
		return nil, nil, err
	}
	c.place(parts)
	return c.rows, &read.Shape{Parts: parts}, nil
}

// connection is a connection in the making.
type connection struct {
	*Planner
	*Table
	rows *read.Selection
	// views are the members of rows that each place shows, in the order of
	// the places.
	views []view
}

type view struct{ from, to int }

func (c *connection) parts(set ast.SelectionSet) ([]read.Part, error) {
	var parts []read.Part
	set, later := c.Fragments.Divide(set, c.connections)
	for _, f := range c.Collect(set, c.connections) {
		part := read.Part{Key: f.Alias}
		var err error
		switch f.Name {
		case "__typename":
			part.Kind, part.Raw = read.PartRaw, `"`+c.connections[0]+`"`
		case "totalCount":
			part.Kind = read.PartTotal
		case "totalCountExact":
			part.Kind = read.PartTotalExact
		case "pageInfo":
			part.Kind, part.Parts = read.PartPageInfo, c.pageInfo(f.Selections)
		case "nodes":
			part.Kind = read.PartNodes
			err = c.view(f.Selections)
		case "edges":
			part.Kind = read.PartEdges
			part.Parts, err = c.edgeParts(f.Selections)
		default:
			err = fmt.Errorf("no plan for %s.%s", c.connections[0], f.Name)
		}
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	return c.deferred(parts, later, (*connection).parts)
}

// deferred adds the parts that come later, whose rows are selected apart.
func (c *connection) deferred(parts []read.Part, later []deferral.Fragment, compile func(*connection, ast.SelectionSet) ([]read.Part, error)) ([]read.Part, error) {
	for _, fragment := range later {
		own := &connection{Planner: c.Planner, Table: c.Table, rows: c.selection(c.Entity)}
		compiled, err := compile(own, fragment.Set)
		if err != nil {
			return nil, err
		}
		own.place(compiled)
		parts = append(parts, read.DeferredPart(fragment.Label, own.rows, compiled))
	}
	return parts, nil
}

func (c *connection) edgeParts(set ast.SelectionSet) ([]read.Part, error) {
	var parts []read.Part
	set, later := c.Fragments.Divide(set, c.edges)
	for _, f := range c.Collect(set, c.edges) {
		part := read.Part{Key: f.Alias}
		switch f.Name {
		case "__typename":
			part.Kind, part.Raw = read.PartRaw, `"`+c.edges[0]+`"`
		case "cursor":
			part.Kind = read.PartCursor
		case "node":
			part.Kind = read.PartNode
			if err := c.view(f.Selections); err != nil {
				return nil, err
			}
		default:
			return nil, fmt.Errorf("no plan for %s.%s", c.edges[0], f.Name)
		}
		parts = append(parts, part)
	}
	return c.deferred(parts, later, (*connection).edgeParts)
}

var pageInfoKinds = map[string]read.PartKind{
	"hasNextPage": read.PartHasNext, "hasPreviousPage": read.PartHasPrevious,
	"startCursor": read.PartStart, "endCursor": read.PartEnd,
}

func (c *connection) pageInfo(set ast.SelectionSet) []read.Part {
	var parts []read.Part
	for _, f := range c.Collect(set, []string{"PageInfo"}) {
		if f.Name == "__typename" {
			parts = append(parts, read.Part{Kind: read.PartRaw, Key: f.Alias, Raw: `"PageInfo"`})
			continue
		}
		parts = append(parts, read.Part{Kind: pageInfoKinds[f.Name], Key: f.Alias})
	}
	return parts
}

// view adds what one place shows of the rows.
func (c *connection) view(set ast.SelectionSet) error {
	from := c.rows.Len()
	err := c.fill(c.rows, set)
	c.views = append(c.views, view{from, c.rows.Len()})
	return err
}

// place gives each place that shows rows its view, once all members are known.
func (c *connection) place(parts []read.Part) {
	for i := range parts {
		switch part := &parts[i]; part.Kind {
		case read.PartNode, read.PartNodes:
			part.Items = c.rows.Slice(c.views[0].from, c.views[0].to)
			c.views = c.views[1:]
		default:
			c.place(part.Parts)
		}
	}
}
