package read

import (
	"slices"
	"strings"
	"sync"

	"github.com/entwine-go/entwine/kit/viewer"
)

// maxExpand is how deep expansions nest.
const maxExpand = 3

// wholes caches the selections of all visible fields: they are asked for all
// the time, and there are only a few of each entity.
var wholes sync.Map // wholeKey -> *Selection

type wholeKey struct {
	entity *Entity
	// seen are the fields, and old those that are shown under their old names, too.
	seen, old uint64
	single    bool
	// parted is set where more fields are seen in some rows than in all.
	parted bool
	names  *Names
}

// whole selects every field that v may see, as REST shows it by default: of one
// row, or of many.
func (e *Entity) whole(v *viewer.Viewer, names *Names, single bool) *Selection {
	key := wholeKey{entity: e, single: single, names: names}
	for i, f := range e.Fields {
		all, some := f.Sees(v)
		if some {
			key.seen |= 1 << (i % 64)
			if f.Old.shown() {
				key.old |= 1 << (i % 64)
			}
		}
		key.parted = key.parted || some && !all
	}
	if s, ok := wholes.Load(key); ok && len(e.Fields) <= 64 {
		return s.(*Selection)
	}
	s := SelectAs(e, names)
	s.all(v, single)
	wholes.Store(key, s)
	return s
}

// Whole selects every field that v may see of one row, as REST shows it by
// default. The selection is shared: it must not be added to.
func Whole(e *Entity, v *viewer.Viewer) *Selection { return e.whole(v, nil, true) }

// WholeAs is [Whole] in the names of a version of REST.
func WholeAs(e *Entity, v *viewer.Viewer, names *Names) *Selection { return e.whole(v, names, true) }

// WholeOfMany is [WholeAs] for each of many rows.
func WholeOfMany(e *Entity, v *viewer.Viewer, names *Names) *Selection {
	return e.whole(v, names, false)
}

// selection reads fields and expand.
func (p *parser) selection() {
	fields, restricted := p.get("fields")
	expand, expanded := p.get("expand")
	if !restricted && !expanded && !slices.ContainsFunc(p.entity.Calcs, p.asksFor) {
		p.params.Selection = p.entity.whole(p.viewer, p.opt.Names, p.opt.Single)
		return
	}
	s := SelectAs(p.entity, p.opt.Names)
	s.base = p.opt.Base
	all := &tree{below: map[string]*tree{}}
	if expanded {
		all = p.tree(expand)
	}
	var shown *tree
	if restricted {
		shown = p.tree(fields)
		if p.opt.Single { // what validates the answer is read, and not shown
			s.validators()
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

// shape selects the fields that are shown: all there are where shown is nil or
// has no name. What is below a name is for what is expanded there.
func (p *parser) shape(s *Selection, shown, expanded *tree, prefix string) {
	if shown == nil {
		s.all(p.viewer, p.opt.Single && prefix == "")
		return
	}
	for _, name := range shown.names {
		below := shown.below[name]
		edge := expanded.below[name] != nil && s.names.findEdge(s.Entity, name) != nil
		if len(below.names) > 0 && !edge {
			p.bad("fields", "names fields of %q, which is not expanded: expand=%s does that", prefix+name, prefix+name)
		}
		if !below.leaf || edge {
			continue
		}
		f := s.names.find(s.Entity, name)
		if f == nil {
			var found bool
			if f, found = p.calcOf(s.Entity, name, prefix); found && f == nil {
				continue
			}
		}
		if f == nil || !f.seen(p.viewer) {
			p.bad("fields", "has no field %q; allowed: %s", prefix+name, strings.Join(append(p.seenOf(s.Entity), p.calcNames(s.Entity)...), ", "))
			continue
		}
		key := s.names.field(f)
		if f.Old.is(s.names, name) {
			key = name
		}
		s.show(key, f, p.viewer)
	}
}

// show writes the field, in the rows in which the viewer sees it.
func (s *Selection) show(key string, f *Field, v *viewer.Viewer) {
	if f.Visible(v) {
		s.Field(key, f)
		return
	}
	s.Guarded(key, f, nil, false)
}

// seen reports whether v sees the field in some row.
func (f *Field) seen(v *viewer.Viewer) bool {
	_, some := f.Sees(v)
	return some
}

func (s *Selection) all(v *viewer.Viewer, single bool) {
	for _, f := range s.Entity.Fields {
		if f.seen(v) && !f.OnRequest && (single || !f.Single) {
			s.show(s.names.field(f), f, v)
		}
	}
	for _, f := range s.Entity.Fields { // behind those of now, where columns are told by their place
		if f.Old.shown() && f.seen(v) && !f.OnRequest && (single || !f.Single) {
			s.show(s.names.word(f.Old.REST), f, v)
		}
	}
}

// validators reads the version and the time of the last change.
func (s *Selection) validators() {
	for _, name := range []string{"version", "updated_at"} {
		if f := s.Entity.Field(name); f != nil {
			s.column(f)
		}
	}
}

// Validators selects what tells the states of a row apart, and shows nothing.
// It is nil where rows have no version.
func Validators(e *Entity) *Selection {
	if e.Field("version") == nil {
		return nil
	}
	s := Select(e)
	s.validators()
	return s
}

// Columns are the members of what the selection writes, in their order, those
// of a related row by dots: author.name.
func (s *Selection) Columns() []string { return s.columnNames(nil, "") }

func (s *Selection) columnNames(names []string, prefix string) []string {
	for i := range s.items {
		it := &s.items[i]
		if it.kind == itemOne {
			names = it.load.sub.columnNames(names, prefix+it.name()+".")
			continue
		}
		names = append(names, prefix+it.name()) // that of cuts too: a cell of JSON, mostly empty
	}
	return names
}

// expand selects what is expanded below s: with the fields that are shown of it,
// and all where none are named.
func (p *parser) expand(s *Selection, shown, t *tree, prefix string) {
	for _, name := range t.names {
		edge := s.names.findEdge(s.Entity, name)
		if edge == nil {
			p.bad("expand", "%s has no %q; allowed: %s", s.Entity.Noun(), name, strings.Join(s.Entity.edgeNames(s.names), ", "))
			continue
		}
		if strings.Count(prefix, ".") == maxExpand {
			p.bad("expand", "nests deeper than %d levels", maxExpand)
			return
		}
		sub := SelectAs(edge.To, s.names)
		sub.base = s.base
		var inner *tree
		if shown != nil && shown.below[name] != nil && !shown.below[name].leaf {
			inner = shown.below[name]
		}
		p.shape(sub, inner, t.below[name], prefix+name+".")
		p.expand(sub, inner, t.below[name], prefix+name+".")
		key := s.names.edge(edge)
		if edge.Old.is(s.names, name) {
			key = name
		}
		if edge.Many {
			s.Expand(key, edge, sub)
		} else {
			s.One(key, edge, sub, false)
		}
	}
	s.tellCuts()
}

func (e *Entity) edgeNames(in *Names) []string {
	var names []string
	for _, g := range e.Edges {
		names = append(names, in.edge(g))
	}
	return names
}
