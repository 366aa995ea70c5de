package gql

import (
	"github.com/99designs/gqlgen/graphql"

	"github.com/entwine-go/entwine/gql/generated"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/gid"
	"github.com/entwine-go/entwine/kit/runtime/graph/plan"
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/viewer"
)

// users plans users(page:, limit:).
func users(p *plan.Planner, f graphql.CollectedField) (plan.Read, error) {
	a := p.Arguments(f)
	page, err := a.AtLeast1("page", 1)
	if err != nil {
		return nil, err
	}
	limit, err := a.AtLeast1("limit", entity.User.Limit)
	if err != nil {
		return nil, err
	}
	limit = min(limit, reading.MaxLimit)
	if page-1 > reading.MaxOffset/limit {
		return nil, problem.Inputs(problem.Invalidf("page", page, "reaches beyond row %d: use usersConnection instead", reading.MaxOffset))
	}
	q := reading.Query{Page: reading.Page{Limit: limit, Offset: (page - 1) * limit}}
	return p.Rows(entity.User, q, f.Selections)
}

// searchUsers plans searchUsers(query:).
func searchUsers(p *plan.Planner, f graphql.CollectedField) (plan.Read, error) {
	q := reading.Query{Page: reading.Page{Limit: reading.MaxLimit}}
	if text := p.Arguments(f).Text("query"); text != "" {
		if !plan.Storable(text) {
			return nil, problem.Inputs(problem.Invalidf("query", nil, "must be valid UTF-8 without NUL"))
		}
		q.Where = reading.Match{Fields: searchable(entity.User, p.Viewer), Text: text}
	}
	return p.Rows(entity.User, q, f.Selections)
}

// searchable lists the fields whose text the viewer can search.
func searchable(e *reading.Entity, v *viewer.Viewer) []*reading.Field {
	var fields []*reading.Field
	for _, f := range e.Fields {
		if f.Fold != "" && f.Visible(v) {
			fields = append(fields, f)
		}
	}
	return fields
}

// userWith is the user with the id. What is selected of them is read afterwards.
func userWith(id int64) *generated.User {
	return &generated.User{ID: gid.Encode(entity.User.Name, id)}
}
