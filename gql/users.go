package gql

import (
	"github.com/99designs/gqlgen/graphql"

	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/reading"
)

// users plans users(page:, limit:).
func users(p *planner, f graphql.CollectedField) (read, error) {
	a := p.arguments(f)
	page, err := a.atLeast1("page", 1)
	if err != nil {
		return nil, err
	}
	limit, err := a.atLeast1("limit", entity.User.Limit)
	if err != nil {
		return nil, err
	}
	limit = min(limit, reading.MaxLimit)
	if page-1 > reading.MaxOffset/limit {
		return nil, problem.Inputs(problem.Invalidf("page", page, "reaches beyond row %d: use usersConnection instead", reading.MaxOffset))
	}
	q := reading.Query{Page: reading.Page{Limit: limit, Offset: (page - 1) * limit}}
	return p.rows(entity.User, q, f.Selections)
}

// searchUsers plans searchUsers(query:).
func searchUsers(p *planner, f graphql.CollectedField) (read, error) {
	q := reading.Query{Page: reading.Page{Limit: reading.MaxLimit}}
	if text := p.arguments(f).text("query"); text != "" {
		if !valid(text) {
			return nil, problem.Inputs(problem.Invalidf("query", nil, "must be valid UTF-8 without NUL"))
		}
		q.Where = reading.Match{Fields: p.searchable(entity.User), Text: text}
	}
	return p.rows(entity.User, q, f.Selections)
}

// searchable lists the fields whose text the viewer can search.
func (p *planner) searchable(e *reading.Entity) []*reading.Field {
	var fields []*reading.Field
	for _, f := range e.Fields {
		if f.Fold != "" && f.Visible(p.viewer) {
			fields = append(fields, f)
		}
	}
	return fields
}
