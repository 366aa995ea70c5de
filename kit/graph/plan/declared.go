package plan

import (
	"github.com/99designs/gqlgen/graphql"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Declared is a root query that an entity has beside its own: expose.Query.
type Declared struct {
	Entity *entity.Entity
	// Pages is the connection that goes on where its pages end, empty where it
	// has none.
	Pages string
	// By is the foreign key that the argument of its name filters by.
	By *entity.Field
	// Search is the argument with a text to search for.
	Search string
	// Caller answers with the caller's own row.
	Caller bool
}

// Root plans the query.
func (d Declared) Root(p *Planner, f graphql.CollectedField) (Read, error) {
	if d.Caller {
		return d.own(p, f)
	}
	a := p.Arguments(f)
	page, err := d.page(a)
	if err != nil {
		return nil, err
	}
	where, err := d.where(p, a)
	if err != nil {
		return nil, err
	}
	return p.Rows(d.Entity, read.Query{Page: page, Where: where}, f.Selections)
}

// own reads the caller's row.
func (d Declared) own(p *Planner, f graphql.CollectedField) (Read, error) {
	if rule := policy.SignedIn(); rule.For(p.Viewer).Never() {
		return nil, policy.Denied(p.Viewer)
	}
	row, err := p.Row(d.Entity, gid.Int(p.Viewer.UserID), f.Selections)
	if err != nil {
		return nil, err
	}
	return Required(d.Entity, row), nil
}

// page is the page that the arguments ask for.
func (d Declared) page(a Arguments) (read.Page, error) {
	if d.Pages == "" {
		return read.Page{Limit: read.MaxLimit}, nil
	}
	page, err := a.AtLeast1("page", 1)
	if err != nil {
		return read.Page{}, err
	}
	limit, err := a.AtLeast1("limit", d.Entity.Limit)
	if err != nil {
		return read.Page{}, err
	}
	limit = min(limit, read.MaxLimit)
	if page-1 > read.MaxOffset/limit {
		return read.Page{}, problem.Inputs(problem.Invalidf("page", page, "reaches beyond row %d: use %s instead", read.MaxOffset, d.Pages))
	}
	return read.Page{Limit: limit, Offset: (page - 1) * limit}, nil
}

// where is the filter that the arguments ask for, nil for none.
func (d Declared) where(p *Planner, a Arguments) (read.Filter, error) {
	var all read.And
	if d.By != nil {
		if value, ok := a[d.By.Name]; ok {
			id, err := gid.Rows{Type: d.By.Ref, Form: d.By.Kind.IDs()}.Unmarshal(value)
			if err != nil {
				return nil, problem.Inputs(problem.Invalidf(d.By.Name, value, "%v", err))
			}
			all = append(all, read.Cond{Field: d.By, Op: read.EQ, Value: id.Any()})
		}
	}
	if text := a.Text(d.Search); text != "" {
		if !Storable(text) {
			return nil, problem.Inputs(problem.Invalidf(d.Search, nil, "must be valid UTF-8 without NUL"))
		}
		all = append(all, read.Match{Fields: searchable(d.Entity, p.Viewer), Text: text})
	}
	switch len(all) {
	case 0:
		return nil, nil //nolint:nilnil // there is none
	case 1:
		return all[0], nil
	}
	return all, nil
}

// searchable lists the fields whose text the viewer can search.
func searchable(e *entity.Entity, v *viewer.Viewer) []*entity.Field {
	var fields []*entity.Field
	for _, f := range e.Fields {
		if f.Fold != "" && f.Visible(v) {
			fields = append(fields, f)
		}
	}
	return fields
}
