package params

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/problem"
)

// words are the parameters of listings whose names are not the same in every version.
var words = []string{"include_deleted", "after_id"}

// translate gives the parameters the names of the first version.
func (p *parser) translate() {
	if p.opt.Names == nil && !hasOld(p.entity) {
		return
	}
	values := make(url.Values, len(p.values))
	p.sent = make(map[string]string, len(p.values))
	for _, called := range slices.Sorted(maps.Keys(p.values)) {
		given := p.values[called]
		name := p.first(called)
		if _, twice := values[name]; twice {
			p.details = append(p.details, problem.Invalidf(called, Shown(given), "cannot be combined with %s", p.sent[name]))
			continue
		}
		values[name], p.sent[name] = given, called
	}
	p.values = values
}

// first is the first version's name of a parameter of this one, which may end
// in how it compares: "createdAt[gte]".
func (p *parser) first(called string) string {
	names := p.opt.Names
	bare, compares := called, ""
	if i := strings.IndexByte(called, '['); i >= 0 {
		bare, compares = called[:i], called[i:]
	}
	for _, f := range p.entity.Fields {
		switch {
		case names.NameOf(f) == bare:
			return f.REST + compares
		case f.Kind.IsRef() && compares == "" && names.NameOfWord(short(f)) == bare:
			return short(f)
		case f.Lowest != "" && names.NameOfWord(f.Lowest) == bare:
			return f.Lowest
		case f.Lowest != "" && names.NameOfWord(f.Highest) == bare:
			return f.Highest
		}
	}
	for _, g := range p.entity.Edges {
		if filters(g) && names.NameOfEdge(g) == bare {
			return g.Name
		}
	}
	if name := p.firstCalc(bare, compares); name != "" {
		return name
	}
	for _, word := range words {
		if names.NameOfWord(word) == bare {
			return word
		}
	}
	for name := range p.opt.Filters {
		if names.NameOfWord(name) == bare {
			return name
		}
	}
	if name := p.old(bare, compares); name != "" {
		return name
	}
	if f := p.entity.RESTField(bare); f != nil && renamed(names, f) {
		return "-" + called // which is no parameter
	}
	return called
}

// old is the first version's name of now of a parameter that is an old one, empty
// for any other.
func (p *parser) old(bare, compares string) string {
	names := p.opt.Names
	for _, f := range p.entity.Fields {
		switch {
		case was(f.Old, names, bare):
			return f.REST + compares
		case f.Kind.IsRef() && compares == "" && was(f.Old, names, bare+"_id"):
			return short(f)
		}
	}
	for _, g := range p.entity.Edges {
		if filters(g) && was(g.Old, names, bare) {
			return g.Name
		}
	}
	return ""
}

// short is the parameter of a reference without its suffix: "author" of author_id.
func short(f *entity.Field) string { return strings.TrimSuffix(f.REST, "_id") }

// called is the request's name of a parameter with the name in the first version,
// or, where it is not given, the version's name of it.
func (p *parser) called(name string) string {
	if sent, ok := p.sent[name]; ok {
		return sent
	}
	if p.opt.Names == nil {
		return name
	}
	bare, compares := name, ""
	if i := strings.IndexByte(name, '['); i >= 0 {
		bare, compares = name[:i], name[i:]
	}
	if f := p.entity.RESTField(bare); f != nil {
		return p.opt.Names.Field(f) + compares
	}
	if name := calledCalc(p.opt.Names, p.entity, bare, compares); name != "" {
		return name
	}
	return p.opt.Names.Word(bare) + compares
}
