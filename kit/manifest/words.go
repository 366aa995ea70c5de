package manifest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

// kind is a kind of caller, as the table of rules names it, with a caller of it.
type kind struct {
	name   string
	viewer *viewer.Viewer
}

// plain is the kind of users whose role no rule names.
const plain = "user"

// kinds are those that rules tell apart: roles are the values of a user's.
func kinds(roles []string) []kind {
	all := []kind{{"anonymous", viewer.Anonymous()}}
	if !slices.Contains(roles, plain) {
		all = append(all, kind{plain, &viewer.Viewer{UserID: 1, Tenant: 1}})
	}
	for _, r := range roles {
		all = append(all, kind{r, &viewer.Viewer{UserID: 1, Role: viewer.Role(r), Tenant: 1}})
	}
	for _, p := range []viewer.Permission{viewer.Read, viewer.Write} {
		all = append(all, kind{string(p) + "-key", &viewer.Viewer{KeyID: 1, Permissions: []viewer.Permission{p}, Tenant: 1}})
	}
	return all
}

// Caller returns a viewer of the kind: a role of users, anonymous, read-key or write-key,
// or the system for an empty name.
func (s Source) Caller(name string) (*viewer.Viewer, error) {
	if name == "" {
		return viewer.AcrossTenants(), nil
	}
	m, err := Decode(s.Text)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, k := range kinds(m.Callers) {
		if k.name == name {
			return k.viewer, nil
		}
		names = append(names, k.name)
	}
	return nil, fmt.Errorf("there is no role %q: %s are", name, strings.Join(names, ", "))
}

// tellApart are the callers whose rights v may see: of all where v is an admin, else
// of those like v alone.
func (m *Manifest) tellApart(v *viewer.Viewer) (told []kind) {
	all := kinds(m.Callers)
	switch {
	case v.System || v.Is(viewer.Admin):
		told = all
	case v.UserID != 0:
		own := *v
		own.Actor = 0 // what the user may do, also where an admin sees it
		told = []kind{{cmp.Or(string(v.Role), plain), &own}}
	case v.KeyID != 0:
		told = []kind{{"key", v}}
	default:
		told = all[:1]
	}
	m.Callers = nil
	for _, k := range told {
		m.Callers = append(m.Callers, k.name)
	}
	return told
}

// callerOf describes the viewer.
func callerOf(v *viewer.Viewer) Caller {
	switch {
	case v.System:
		return Caller{Kind: "system"}
	case v.UserID != 0:
		return Caller{Kind: "user", Role: string(v.Role)}
	case v.KeyID != 0:
		c := Caller{Kind: "key"}
		for _, p := range v.Permissions {
			c.Permissions = append(c.Permissions, string(p))
		}
		slices.Sort(c.Permissions)
		return c
	}
	return Caller{Kind: "anonymous"}
}

// words says of the entity's operations to which rows they can be done, and who may.
func (w *view) words(e *Entity) {
	for _, c := range e.Verbs {
		w.explain(c)
	}
	for _, a := range e.Actions {
		w.explain(&a.Call)
		if a.Condition != nil {
			a.When = a.Condition.Words(w.column(w.entities[e.Name], w.sees))
			a.Condition = nil
		}
	}
	of := w.entities[e.Name]
	for _, verb := range append([]string{""}, slices.Sorted(maps.Keys(of.Rules.Verbs))...) {
		if r := w.table(of, verb); len(r.Rows) > 0 || w.tellsAll() {
			e.Rules = append(e.Rules, r)
		}
	}
}

// tellsAll reports whether the viewer may see the rights of others.
func (w *view) tellsAll() bool { return w.v.System || w.v.Is(viewer.Admin) }

// explain says to which rows the viewer may do it.
func (w *view) explain(c *Call) {
	of := w.entities[c.Judge.Entity]
	c.Says = declared(of, c.Judge.Verb).WordsFor(w.v, w.column(of, w.sees))
	c.Judge = nil
}

// declared is the rule of a verb, for reading where that is empty.
func declared(of *entity.Entity, verb string) policy.Rule {
	if verb == "" {
		return of.Rules.Read
	}
	return of.Rules.Verbs[verb]
}

// table has the callers that may use the verb, and on which rows.
func (w *view) table(of *entity.Entity, verb string) *Rule {
	rule, name := declared(of, verb), w.column(of, w.sees)
	r := &Rule{Verb: verb, Rows: map[string]string{}}
	if verb == "" {
		r.Verb = "read"
	}
	if r.Says = rule.WordsFor(w.v, name); w.tellsAll() {
		r.Says = rule.Words(name)
	}
	for _, k := range w.callers {
		switch folded := rule.For(k.viewer); {
		case folded.Always():
			r.Rows[k.name] = "all"
		case !folded.Never():
			r.Rows[k.name] = rule.WordsFor(k.viewer, name)
		}
	}
	return r
}
