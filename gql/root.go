package gql

import (
	"context"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/gid"
	"github.com/entwine-go/entwine/kit/runtime/graph/prepared"
	"github.com/entwine-go/entwine/kit/runtime/reading"
)

// read appends what a root field answers with. Paths in the info begin below
// the field.
type read func(ctx context.Context, r *reading.Reader, dst []byte) ([]byte, reading.Info, error)

// plan compiles a root field.
type plan func(p *planner, f graphql.CollectedField) (read, error)

// byHand are the plans of the root queries in gql/*.graphql that answer with
// entities. What answers with something else has a resolver.
var byHand = map[string]plan{
	"users":            users,
	"searchUsers":      searchUsers,
	"searchConnection": searched,
	"posts":            posts,
	"me":               me,
	"feed":             feed,
}

// plans returns the plan of each root query that answers with entities. It
// panics if one has none.
func plans(s *ast.Schema) map[string]plan {
	all := map[string]plan{}
	for _, f := range s.Query.Fields {
		name := f.Type.Name()
		one, many := tables[name], tables[strings.TrimSuffix(name, "Connection")]
		switch {
		case byHand[f.Name] != nil:
			all[f.Name] = byHand[f.Name]
		case one == nil && many == nil:
		case !strings.HasPrefix(f.Position.Src.Name, "generated/"):
			panic("gql: " + f.Position.Src.Name + " declares Query." + f.Name + ", but it has no plan in root.go")
		case one != nil:
			all[f.Name] = byID(one.Entity)
		default:
			all[f.Name] = listed(many.Entity)
		}
	}
	return all
}

// byID plans a root query for the row with an id.
func byID(e *reading.Entity) plan {
	return func(p *planner, f graphql.CollectedField) (read, error) {
		value := p.arguments(f)["id"]
		id, err := gid.Unmarshal(e.Name, value)
		if err != nil {
			return nil, problem.Inputs(problem.Invalidf("id", value, "%v", err))
		}
		row, err := p.row(e, id, f.Selections)
		if err != nil {
			return nil, err
		}
		return required(e, row), nil
	}
}

// required turns the absence of a row into an error.
func required(e *reading.Entity, row read) read {
	return func(ctx context.Context, r *reading.Reader, dst []byte) ([]byte, reading.Info, error) {
		dst, info, err := row(ctx, r, dst)
		if err == nil && info.Count == 0 {
			err = reading.NotFound(e)
		}
		return dst, info, err
	}
}

// deleted reports whether the arguments ask for deleted rows too, which not
// every viewer may read.
func (p *planner) deleted(e *reading.Entity, a arguments) (bool, error) {
	if a["includeDeleted"] != true {
		return false, nil
	}
	return true, e.Rules.Check(p.viewer, policy.ReadDeleted)
}

// row reads the row with the id: nothing where there is none for the viewer.
func (p *planner) row(e *reading.Entity, id int64, set ast.SelectionSet) (read, error) {
	if err := p.readable(e); err != nil {
		return nil, err
	}
	made, err := p.kept.Selection(p.root, p.viewer, func() (made prepared.Selection, err error) {
		made.Rows, err = p.selection(e, set)
		return made, err
	})
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, r *reading.Reader, dst []byte) ([]byte, reading.Info, error) {
		return r.One(ctx, dst, made.Rows, reading.ByID(e, id), false)
	}, nil
}

// rows reads a plain list.
func (p *planner) rows(e *reading.Entity, q reading.Query, set ast.SelectionSet) (read, error) {
	if err := p.readable(e); err != nil {
		return nil, err
	}
	made, err := p.kept.Selection(p.root, p.viewer, func() (made prepared.Selection, err error) {
		made.Rows, err = p.selection(e, set)
		return made, err
	})
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, r *reading.Reader, dst []byte) ([]byte, reading.Info, error) {
		return r.Page(ctx, dst, made.Rows, q)
	}, nil
}

// listed plans a root query for a connection of an entity.
func listed(e *reading.Entity) plan {
	return func(p *planner, f graphql.CollectedField) (read, error) {
		a := p.arguments(f)
		q, err := p.page(e, a, e.Limit)
		if err != nil {
			return nil, err
		}
		if q.Deleted, err = p.deleted(e, a); err != nil {
			return nil, err
		}
		return p.connected(e, q, f.Selections)
	}
}

// connected reads a connection.
func (p *planner) connected(e *reading.Entity, q reading.Query, set ast.SelectionSet) (read, error) {
	if err := p.readable(e); err != nil {
		return nil, err
	}
	made, err := p.kept.Selection(p.root, p.viewer, func() (made prepared.Selection, err error) {
		made.Rows, made.Shape, err = p.shape(e, set)
		return made, err
	})
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, r *reading.Reader, dst []byte) ([]byte, reading.Info, error) {
		return r.Connection(ctx, dst, made.Rows, q, made.Shape)
	}, nil
}

// readable refuses viewers who can read no row of the entity at all: 401 for
// those who did not say who they are.
func (p *planner) readable(e *reading.Entity) error {
	if e.Rules.Readable(p.viewer, false).Never() {
		return policy.Denied(p.viewer)
	}
	return nil
}
