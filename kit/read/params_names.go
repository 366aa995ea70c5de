package read

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/problem"
)

// words are the parameters of listings whose names are not the same in every version.
var words = []string{"include_deleted", "after_id"}

// translate gives the parameters the names of the first version.
func (p *parser) translate() {
	if p.opt.Names == nil && !p.entity.renamed() {
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
		case names.field(f) == bare:
			return f.REST + compares
		case f.Kind == Ref && compares == "" && names.word(f.short()) == bare:
			return f.short()
		case f.Lowest != "" && names.word(f.Lowest) == bare:
			return f.Lowest
		case f.Lowest != "" && names.word(f.Highest) == bare:
			return f.Highest
		}
	}
	for _, g := range p.entity.Edges {
		if g.listed() && names.edge(g) == bare {
			return g.Name
		}
	}
	if name := p.firstCalc(bare, compares); name != "" {
		return name
	}
	for _, word := range words {
		if names.word(word) == bare {
			return word
		}
	}
	for name := range p.opt.Filters {
		if names.word(name) == bare {
			return name
		}
	}
	if name := p.old(bare, compares); name != "" {
		return name
	}
	if f := p.entity.RESTField(bare); f != nil && names.renamed(f) {
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
		case f.Old.is(names, bare):
			return f.REST + compares
		case f.Kind == Ref && compares == "" && f.Old.is(names, bare+"_id"):
			return f.short()
		}
	}
	for _, g := range p.entity.Edges {
		if g.listed() && g.Old.is(names, bare) {
			return g.Name
		}
	}
	return ""
}

// short is the parameter of a reference without its suffix: "author" of author_id.
func (f *Field) short() string { return strings.TrimSuffix(f.REST, "_id") }

// called is what the request calls a parameter that has the name in the first
// version, or, where it is not given, what its version calls it.
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
	if name := p.opt.Names.calledCalc(p.entity, bare, compares); name != "" {
		return name
	}
	return p.opt.Names.Word(bare) + compares
}
