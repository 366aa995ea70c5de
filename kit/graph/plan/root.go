package plan

import (
	"context"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/internal/graph/prepared"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
)

// Read appends what a root field answers with. Paths in the info begin below
// the field.
type Read func(ctx context.Context, r *read.Reader, dst []byte) ([]byte, read.Info, error)

// Root plans a root field.
type Root func(p *Planner, f graphql.CollectedField) (Read, error)

// Roots returns the plan of each root query that answers with entities: by hand
// where there is one, and else what the type says. It panics if a query has none
// whose document is not below generated/. Root fields with other results have a
// resolver.
func Roots(schema *ast.Schema, tables Tables, byHand map[string]Root) map[string]Root {
	all := map[string]Root{}
	for _, f := range schema.Query.Fields {
		name := f.Type.Name()
		one, many := tables[name], tables[strings.TrimSuffix(name, "Connection")]
		switch {
		case byHand[f.Name] != nil:
			all[f.Name] = byHand[f.Name]
		case one == nil && many == nil:
		case !strings.HasPrefix(f.Position.Src.Name, "generated/"):
			panic("plan: " + f.Position.Src.Name + " declares Query." + f.Name + ", but it has no plan")
		case one != nil:
			all[f.Name] = byID(one.Entity)
		default:
			all[f.Name] = listed(many.Entity)
		}
	}
	return all
}

// byID plans a root query for the row with an id.
func byID(e *entity.Entity) Root {
	return func(p *Planner, f graphql.CollectedField) (Read, error) {
		value := p.Arguments(f)["id"]
		id, err := e.IDs().Unmarshal(value)
		if err != nil {
			return nil, problem.Inputs(problem.Invalidf("id", value, "%v", err))
		}
		row, err := p.Row(e, id, f.Selections)
		if err != nil {
			return nil, err
		}
		return Required(e, row), nil
	}
}

// Required turns the absence of a row into an error.
func Required(e *entity.Entity, row Read) Read {
	return func(ctx context.Context, r *read.Reader, dst []byte) ([]byte, read.Info, error) {
		dst, info, err := row(ctx, r, dst)
		if err == nil && info.Count == 0 {
			err = read.NotFound(e)
		}
		return dst, info, err
	}
}

// deleted reports whether the arguments ask for deleted rows too, which not
// every viewer may read.
func (p *Planner) deleted(e *entity.Entity, a Arguments) (bool, error) {
	if a["includeDeleted"] != true {
		return false, nil
	}
	return true, e.Rules.Check(p.Viewer, policy.ReadDeleted)
}

// Row reads the row with the id. Its result is null where the viewer can't read
// such a row.
func (p *Planner) Row(e *entity.Entity, id gid.ID, set ast.SelectionSet) (Read, error) {
	rows, err := p.RowSelection(e, set)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, r *read.Reader, dst []byte) ([]byte, read.Info, error) {
		return r.One(ctx, dst, rows, read.ByID(e, id), false)
	}, nil
}

// RowSelection compiles what the root field selects of a row.
func (p *Planner) RowSelection(e *entity.Entity, set ast.SelectionSet) (*read.Selection, error) {
	if err := p.Readable(e); err != nil {
		return nil, err
	}
	made, err := p.Prepared.Selection(p.Alias, p.Viewer, func() (made prepared.Selection, err error) {
		made.Rows, err = p.Selection(e, set)
		return made, err
	})
	return made.Rows, err
}

// Rows reads a plain list.
func (p *Planner) Rows(e *entity.Entity, q read.Query, set ast.SelectionSet) (Read, error) {
	if err := p.Readable(e); err != nil {
		return nil, err
	}
	made, err := p.Prepared.Selection(p.Alias, p.Viewer, func() (made prepared.Selection, err error) {
		made.Rows, err = p.Selection(e, set)
		return made, err
	})
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, r *read.Reader, dst []byte) ([]byte, read.Info, error) {
		return r.Page(ctx, dst, made.Rows, q)
	}, nil
}

// listed plans a root query for a connection of an entity.
func listed(e *entity.Entity) Root {
	return func(p *Planner, f graphql.CollectedField) (Read, error) {
		a := p.Arguments(f)
		q, err := p.Page(e, a, e.Limit)
		if err != nil {
			return nil, err
		}
		if q.Deleted, err = p.deleted(e, a); err != nil {
			return nil, err
		}
		return p.Connection(e, q, f.Selections)
	}
}

// Connection reads a connection.
func (p *Planner) Connection(e *entity.Entity, q read.Query, set ast.SelectionSet) (Read, error) {
	if err := p.Readable(e); err != nil {
		return nil, err
	}
	made, err := p.Prepared.Selection(p.Alias, p.Viewer, func() (made prepared.Selection, err error) {
		made.Rows, made.Shape, err = p.shape(e, set)
		return made, err
	})
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, r *read.Reader, dst []byte) ([]byte, read.Info, error) {
		return r.Connection(ctx, dst, made.Rows, q, made.Shape)
	}, nil
}

// Readable refuses viewers who can read no row of the entity at all: with 401
// where they sent no credential.
func (p *Planner) Readable(e *entity.Entity) error {
	return e.Rules.CheckRead(p.Viewer)
}
