package manifest

import (
	"slices"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Source has the parts that documents are made of.
type Source struct {
	// Text is the generator's document: all entities and operations, in the names of
	// version 1.
	Text []byte
	// Entities are those of the service. Their rules select the parts that a caller sees.
	Entities []*entity.Entity
	// Versions are those of REST that are offered: v1, v2.
	Versions []string
}

// For returns what callers like v may know, in the names of a version. It does not
// depend on which user or API key v is. The system sees all.
func (s Source) For(v *viewer.Viewer, names Names) (*Manifest, error) {
	m, err := Decode(s.Text)
	if err != nil {
		return nil, err
	}
	m.Version, m.Versions, m.Base, m.Conventions, m.Limits = names.Version, s.Versions, names.Base, names.Conventions, names.Limits
	m.Viewer = callerOf(v)
	view := view{v: v, m: m, naming: naming{Names: names, entities: map[string]*entity.Entity{}}}
	for _, e := range s.Entities {
		view.entities[e.Name] = e
	}
	view.callers = m.tellApart(v)
	view.prune()
	m.translate(m.Catalogs[names.Language])
	m.Catalogs = nil
	for _, e := range m.Entities {
		view.words(e)
		view.naming.entity(e)
	}
	return m, nil
}

// view is a document as it becomes that of a viewer.
type view struct {
	naming
	v       *viewer.Viewer
	m       *Manifest
	callers []kind
}

// prune takes away what the viewer may never see or do.
func (w *view) prune() {
	for _, e := range w.m.Entities {
		e.Verbs = slices.DeleteFunc(e.Verbs, func(c *Call) bool { return !w.admits(c) })
		e.Actions = slices.DeleteFunc(e.Actions, func(a *Action) bool { return !w.admits(&a.Call) })
		of := w.entities[e.Name]
		e.Fields = slices.DeleteFunc(e.Fields, func(f *Field) bool {
			shown := of.RESTField(f.Name)
			return shown != nil && !w.sees(shown)
		})
	}
	seen := w.reachable()
	w.m.Entities = slices.DeleteFunc(w.m.Entities, func(e *Entity) bool { return !seen[e.Name] })
	for _, e := range w.m.Entities {
		w.detach(e, seen)
	}
	if w.v.MayChange() != nil {
		w.m.Operations = slices.DeleteFunc(w.m.Operations, func(o Operation) bool { return o.Method != "GET" })
	}
}

// sees reports whether the viewer sees the field in some rows.
func (w *view) sees(f *entity.Field) bool {
	_, some := f.Sees(w.v)
	return some
}

// admits reports whether the viewer may do it to some row, and says to which.
func (w *view) admits(c *Call) bool {
	of := w.entities[c.Judge.Entity]
	if of == nil || c.Method != "GET" && w.v.MayChange() != nil {
		return false
	}
	rule := w.rule(of, c.Judge.Verb)
	if c.Rows = "some"; rule.Always() {
		c.Rows = "all"
	}
	return !rule.Never()
}

// rule is the folded rule of the viewer for the verb: read, where it is empty.
func (w *view) rule(of *entity.Entity, verb string) policy.Rule {
	if verb != "" {
		return of.Rules.May(w.v, verb)
	}
	rule := of.Rules.Read.For(w.v)
	return policy.Both(of.Rules.Tenant(w.v), rule)
}

// reachable are the entities of which the viewer can do or see something: by an
// operation, or through an edge that lifts the policy of the other end.
func (w *view) reachable() map[string]bool {
	seen := map[string]bool{}
	var queue []*Entity
	see := func(e *Entity) {
		if e != nil && !seen[e.Name] {
			seen[e.Name] = true
			queue = append(queue, e)
		}
	}
	for _, e := range w.m.Entities {
		if len(e.Verbs)+len(e.Actions) > 0 || !w.rule(w.entities[e.Name], "").Never() {
			see(e)
		}
	}
	for len(queue) > 0 {
		e := queue[0]
		queue = queue[1:]
		for _, g := range e.Edges {
			if g.Through {
				see(w.m.Entity(g.To))
			}
		}
	}
	return seen
}

// detach takes away what leads to entities and fields that are not there.
func (w *view) detach(e *Entity, seen map[string]bool) {
	has := func(name string) bool {
		return slices.ContainsFunc(e.Fields, func(f *Field) bool { return f.Name == name })
	}
	e.Edges = slices.DeleteFunc(e.Edges, func(g *Edge) bool { return !seen[g.To] || g.Field != "" && !has(g.Field) })
	for _, f := range e.Fields {
		if !seen[f.To] {
			f.To = ""
		}
		if !has(f.Currency) {
			f.Currency = ""
		}
	}
	for _, g := range e.Edges {
		if g.List != "" && !slices.ContainsFunc(w.m.Entity(g.To).Verbs, func(c *Call) bool { return c.Path == g.List && c.Method == "GET" }) {
			g.List = ""
		}
		if !slices.ContainsFunc(e.Edges, func(step *Edge) bool { return step.Name == g.Step }) {
			g.Step = ""
		}
	}
	e.Verbs = slices.DeleteFunc(e.Verbs, func(c *Call) bool { return c.Of != "" && !seen[c.Of] })
	e.Search = slices.DeleteFunc(e.Search, func(name string) bool { return !has(name) })
	if !has(e.Title) {
		e.Title = e.ID
	}
	for _, a := range e.Actions {
		if !has(a.Marked) {
			a.Marked = ""
		}
	}
	if e.State != nil && !has(e.State.Field) {
		e.State = nil
	}
	if e.Version != "" && !has(e.Version) {
		e.Version = ""
	}
	if w.rule(w.entities[e.Name], "").Never() {
		e.Events = nil
	}
}
