package gql

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/graph/plan"
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/runtime/search"
)

// searchResult is the union of what can be found, searchCost what finding it
// costs beside what is selected of it.
const (
	searchResult = "SearchResult"
	searchCost   = 100
)

// searched plans searchConnection(query:, types:, first:, after:).
func searched(p *plan.Planner, f graphql.CollectedField) (plan.Read, error) {
	all := *p
	all.Fragments = nil // a row is shown where its hit is: nothing comes later
	s := searching{Planner: &all, request: search.Request{Plain: true}}
	if err := s.read(p.Arguments(f)); err != nil {
		return nil, err
	}
	for _, part := range p.Collect(f.Selections, []string{searchResult + "Connection"}) {
		if err := s.part(part); err != nil {
			return nil, err
		}
	}
	return func(ctx context.Context, r *reading.Reader, dst []byte) ([]byte, reading.Info, error) {
		result, err := search.New(r, entity.All).Search(ctx, s.request)
		if err != nil {
			return dst, reading.Info{}, err
		}
		w := foundWriter{searching: &s, ctx: ctx, reader: r, result: result}
		dst, err = w.write(dst)
		w.info.Count = 1
		return dst, w.info, err
	}, nil
}

// searching is a search in the making.
type searching struct {
	*plan.Planner
	request search.Request
	digest  uint32
	parts   []foundPart
}

// foundPart is a member of the connection, or of one of its edges.
type foundPart struct {
	graphql.CollectedField
	parts []foundPart
	// rows are what is selected of each entity, of a member that shows rows.
	rows map[*reading.Entity]*reading.Selection
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
			i := slices.IndexFunc(entity.All, func(e *reading.Entity) bool { return len(e.Search) > 0 && searchType(e) == one })
			if i >= 0 { // the schema has seen to it
				s.request.Entities = append(s.request.Entities, entity.All[i])
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

// searchType is the value of the enum SearchType for the entity.
func searchType(e *reading.Entity) string {
	return strings.NewReplacer("-", "_", "/", "_").Replace(e.Path)
}

// part plans a member of the connection.
func (s *searching) part(f graphql.CollectedField) error {
	part := foundPart{CollectedField: f}
	var err error
	switch f.Name {
	case "nodes":
		part.rows, err = s.rows(f)
	case "edges":
		for _, member := range s.Collect(f.Selections, []string{searchResult + "Edge"}) {
			one := foundPart{CollectedField: member}
			switch member.Name {
			case "node":
				if one.rows, err = s.rows(member); err != nil {
					return err
				}
			case "title", "snippet":
				s.request.Plain = false
			}
			part.parts = append(part.parts, one)
		}
	}
	s.parts = append(s.parts, part)
	return err
}

// rows plans what is selected of each entity that may be found.
func (s *searching) rows(f graphql.CollectedField) (map[*reading.Entity]*reading.Selection, error) {
	rows := map[*reading.Entity]*reading.Selection{}
	for _, e := range entity.All {
		if len(e.Search) == 0 {
			continue
		}
		var err error
		if rows[e], err = s.Selection(e, f.Selections); err != nil {
			return nil, fmt.Errorf("select of %s: %w", e.Name, err)
		}
	}
	return rows, nil
}
