package params

import (
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/read"
)

// maxExpand is how deep expansions nest.
const maxExpand = 3

// selection reads fields and expand.
func (p *parser) selection() {
	fields, restricted := p.get("fields")
	expand, expanded := "", false
	if !p.opt.Written {
		expand, expanded = p.get("expand")
	}
	if !restricted && !expanded && !p.params.All && !slices.ContainsFunc(p.entity.Calcs, p.asksFor) {
		p.params.Selection = whole(p.entity, p.viewer, p.opt)
		return
	}
	s := read.SelectAs(p.entity, p.opt.Names)
	s.Base, s.Plain = p.opt.Base, p.params.All
	all := &tree{below: map[string]*tree{}}
	if expanded {
		all = p.tree(expand)
	}
	var shown *tree
	if restricted {
		shown = p.tree(fields)
		if p.opt.Single { // what validates the answer is read, and not shown
			s.Validate()
		}
	}
	p.shape(s, shown, all, "")
	if !restricted {
		p.showCalcs(s)
	}
	if expanded {
		p.expand(s, shown, all, "")
	}
	p.params.Selection = s
}

// shape selects the fields that are shown: all there are where shown is nil or has
// no name. Names below a name are for the edge that is expanded there.
func (p *parser) shape(s *read.Selection, shown, expanded *tree, prefix string) {
	if shown == nil {
		s.All(p.viewer, p.opt.Single && prefix == "")
		return
	}
	for _, name := range shown.names {
		below := shown.below[name]
		edge := expanded.below[name] != nil && findEdge(p.opt.Names, s.Entity, name) != nil
		if len(below.names) > 0 && !edge {
			p.bad("fields", "names fields of %q, which is not expanded: expand=%s does that", prefix+name, prefix+name)
		}
		if !below.leaf || edge {
			continue
		}
		f := find(p.opt.Names, s.Entity, name)
		if f == nil {
			var found bool
			if f, found = p.calcOf(s.Entity, name, prefix); found && f == nil {
				continue
			}
		}
		if f == nil || !seen(f, p.viewer) {
			p.bad("fields", "has no field %q; allowed: %s", prefix+name, p.fieldsOf(s))
			continue
		}
		if !s.Holds(f) {
			p.bad("fields", "%q is not part of a list as a whole (limit=all); allowed: %s", prefix+name, p.fieldsOf(s))
			continue
		}
		key := p.opt.Names.NameOf(f)
		if was(f.Old, p.opt.Names, name) {
			key = name
		}
		s.Show(key, f, p.viewer)
	}
}

// fieldsOf lists what the selection can show.
func (p *parser) fieldsOf(s *read.Selection) string {
	var names []string
	for _, f := range s.Entity.Fields {
		if seen(f, p.viewer) && s.Holds(f) {
			names = append(names, p.opt.Names.NameOf(f))
		}
	}
	return strings.Join(append(names, p.calcNames(s.Entity)...), ", ")
}

// expand selects what is expanded below s: with the fields that are shown of it,
// and all where none are named.
func (p *parser) expand(s *read.Selection, shown, t *tree, prefix string) {
	for _, name := range t.names {
		edge := findEdge(p.opt.Names, s.Entity, name)
		if edge == nil {
			p.bad("expand", "%s has no %q; allowed: %s", s.Entity.Noun(), name, strings.Join(edgeNames(s.Entity, p.opt.Names), ", "))
			continue
		}
		if strings.Count(prefix, ".") == maxExpand {
			p.bad("expand", "nests deeper than %d levels", maxExpand)
			return
		}
		sub := read.SelectAs(edge.To, p.opt.Names)
		sub.Base, sub.Plain = s.Base, s.Plain
		var inner *tree
		if shown != nil && shown.below[name] != nil && !shown.below[name].leaf {
			inner = shown.below[name]
		}
		p.shape(sub, inner, t.below[name], prefix+name+".")
		p.expand(sub, inner, t.below[name], prefix+name+".")
		key := p.opt.Names.NameOfEdge(edge)
		if was(edge.Old, p.opt.Names, name) {
			key = name
		}
		if edge.Many {
			s.Expand(key, edge, sub)
		} else {
			s.One(key, edge, sub, false)
		}
	}
	s.TellCuts()
}

func edgeNames(e *entity.Entity, in *read.Names) []string {
	var names []string
	for _, g := range e.Edges {
		names = append(names, in.NameOfEdge(g))
	}
	return names
}
