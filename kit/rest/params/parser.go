package params

import (
	"net/url"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/viewer"
)

type parser struct {
	entity    *entity.Entity
	viewer    *viewer.Viewer
	opt       Options
	values    url.Values
	params    *Params
	where     read.And
	details   []problem.Detail
	forbidden error
	// taken are the parameters that were looked for. Here and in values all have
	// the names of the first version; sent are those that the request has for them.
	taken []string
	sent  map[string]string
	// calcs are the computed values with their arguments, nil for those that are wrong.
	calcs map[*entity.Calc]*entity.Field
}

// bad notes what is wrong with a parameter, given by its name in the first version:
// the finding has the name that the request used.
func (p *parser) bad(name, format string, args ...any) {
	var value any
	if given := p.values[name]; len(given) > 0 {
		value = given[0]
	}
	p.details = append(p.details, problem.Invalidf(p.called(name), value, format, args...))
}

// get returns the parameter's only value and whether it was given.
func (p *parser) get(name string) (string, bool) {
	p.taken = append(p.taken, name)
	given, ok := p.values[name]
	if !ok {
		return "", false
	}
	if len(given) > 1 {
		p.details = append(p.details, problem.Invalidf(p.called(name), Shown(given), "is given %d times; once is allowed", len(given)))
	}
	if !entity.ValidText(given[0]) {
		p.bad(name, "is not valid UTF-8 without NUL")
		return "", false
	}
	return given[0], true
}

// Shown is the text of a parameter for an error.
func Shown(given []string) any {
	if len(given) == 1 {
		return given[0]
	}
	values := make([]any, len(given))
	for i, one := range given {
		values[i] = one
	}
	return values
}

func (p *parser) read() {
	if p.opt.Scope != nil {
		p.where = append(p.where, p.opt.Scope)
	}
	p.params.All = len(p.values["limit"]) == 1 && p.values["limit"][0] == all && !p.opt.Single
	p.calculate()
	p.selection()
	if !p.opt.Plain && !p.opt.Written {
		p.includeDeleted()
	}
	for _, name := range p.opt.Elsewhere {
		p.get(name)
	}
	switch {
	case p.opt.Written: // are read by their ids
	case p.opt.Single:
		p.params.Query.Page = read.Page{Limit: 1}
	case p.opt.Plain:
		p.paging()
	default:
		p.paging()
		p.sorting()
		p.searching()
		p.period()
		p.filters()
		p.bounds()
	}
	p.unknown()
	p.params.asked = read.Scans(p.where)
	if p.opt.Scope != nil {
		p.params.asked -= read.Scans(p.opt.Scope)
	}
	if len(p.where) > 0 {
		p.params.Query.Where = p.where
	}
}

func (p *parser) includeDeleted() {
	if !p.entity.Rules.SoftDelete {
		return
	}
	text, ok := p.get("include_deleted")
	if !ok {
		return
	}
	deleted, err := entity.ParseBool(text)
	if err != nil {
		p.bad("include_deleted", "%v", err)
		return
	}
	if deleted {
		p.forbidden = p.entity.Rules.Check(p.viewer, policy.ReadDeleted)
	}
	p.params.Query.Deleted = deleted
}

// names lists the visible fields with a property.
func (p *parser) names(has func(*entity.Field) bool) []string { return p.namesOf(p.entity, has) }

func (p *parser) namesOf(e *entity.Entity, has func(*entity.Field) bool) []string {
	var names []string
	for _, f := range e.Fields {
		if has(f) && f.Visible(p.viewer) {
			names = append(names, p.opt.Names.NameOf(f))
		}
	}
	return names
}
