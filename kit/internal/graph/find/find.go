// Package find answers searchConnection, which a schema has whose entities name
// fields to search in (expose.Resource.Search): what package search finds of all
// of them, as one connection of unlike rows. Package plan plans the selection of
// each, and it is read where the row is shown.
package find

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/graph/plan"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/search"
)

const (
	// Field is the root query.
	Field = "searchConnection"
	// Cost is the cost of a search beside that of its selection.
	Cost = 100
	// result is the union of what can be found.
	result = "SearchResult"
)

// Plan plans searchConnection(query:, types:, first:, after:) over the entities
// that have fields to search in.
func Plan(entities []*entity.Entity) plan.Root {
	searched := slices.DeleteFunc(slices.Clone(entities), func(e *entity.Entity) bool { return len(e.Search) == 0 })
	return func(p *plan.Planner, f graphql.CollectedField) (plan.Read, error) {
		all := *p
		all.Fragments = nil // a row is shown where its hit is: nothing comes later
		s := searching{Planner: &all, entities: searched, request: search.Request{Plain: true}}
		if err := s.read(p.Arguments(f)); err != nil {
			return nil, err
		}
		for _, part := range p.Collect(f.Selections, []string{result + "Connection"}) {
			if err := s.part(part); err != nil {
				return nil, err
			}
		}
		return func(ctx context.Context, r *read.Reader, dst []byte) ([]byte, read.Info, error) {
			found, err := search.New(r, searched).Search(ctx, s.request)
			if err != nil {
				return dst, read.Info{}, err
			}
			w := writer{searching: &s, ctx: ctx, reader: r, found: found}
			dst, err = w.write(dst)
			w.info.Count = 1
			return dst, w.info, err
		}, nil
	}
}

// searching is a search in the making.
type searching struct {
	*plan.Planner
	entities []*entity.Entity
	request  search.Request
	digest   uint32
	parts    []part
}

// part is a member of the connection, or of one of its edges.
type part struct {
	graphql.CollectedField
	parts []part
	// rows are the selections for each entity, of a member that shows rows.
	rows map[*entity.Entity]*read.Selection
}

// read reads the arguments.
func (s *searching) read(a plan.Arguments) error {
	var err error
	text := a.Text("query")
	if s.request.Query, err = search.Parse(text); err != nil {
		return problem.Inputs(problem.Invalidf("query", nil, "%v", err))
	}
	if types, ok := a["types"]; ok {
		for _, one := range plan.ListOf(types) {
			i := slices.IndexFunc(s.entities, func(e *entity.Entity) bool { return typeOf(e) == one })
			if i >= 0 { // the schema has seen to it
				s.request.Entities = append(s.request.Entities, s.entities[i])
			}
		}
	}
	if s.request.Limit, err = a.Size("first", plan.PageSize); err != nil {
		return err
	}
	s.digest = search.Digest(text, s.request.Entities)
	after, err := a.Cursor("after")
	if err != nil {
		return err
	}
	if after != "" {
		if s.request.Offset, err = search.DecodeCursor(after, s.digest); err != nil {
			return err
		}
	}
	return nil
}

// typeOf is the value of the enum SearchType for the entity.
func typeOf(e *entity.Entity) string {
	return strings.NewReplacer("-", "_", "/", "_").Replace(e.Path)
}

// part plans a member of the connection.
func (s *searching) part(f graphql.CollectedField) error {
	planned := part{CollectedField: f}
	var err error
	switch f.Name {
	case "nodes":
		planned.rows, err = s.rows(f)
	case "edges":
		for _, member := range s.Collect(f.Selections, []string{result + "Edge"}) {
			one := part{CollectedField: member}
			switch member.Name {
			case "node":
				if one.rows, err = s.rows(member); err != nil {
					return err
				}
			case "title", "snippet":
				s.request.Plain = false
			}
			planned.parts = append(planned.parts, one)
		}
	}
	s.parts = append(s.parts, planned)
	return err
}

// rows plans what is selected of each entity that may be found.
func (s *searching) rows(f graphql.CollectedField) (map[*entity.Entity]*read.Selection, error) {
	rows := map[*entity.Entity]*read.Selection{}
	for _, e := range s.entities {
		var err error
		if rows[e], err = s.Selection(e, f.Selections); err != nil {
			return nil, fmt.Errorf("select of %s: %w", e.Name, err)
		}
	}
	return rows, nil
}
