package model

import (
	"cmp"
	"slices"
	"strings"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/expose"
)

// Old is the name that something had before (expose.Was), which clients may use
// until it ends. A name that something else has now is empty here.
type Old struct {
	// Name is the schema's, REST and GraphQL are those of the APIs.
	Name, REST, GraphQL string
	// Table is the one of an entity.
	Table  string
	Ending *expose.Ending
}

// OldValue is the former name of an enum's value (expose.ValueWas).
type OldValue struct {
	Before, Now string
	Ending      *expose.Ending
}

// changeOf describes a change, with the ending of the old names.
func changeOf(annotations map[string]any) (c expose.Change, err error) {
	_, err = Annotation(annotations, &c)
	return c, err
}

// wasCalled is the ending of an old name.
func wasCalled(c expose.Change, now string) *expose.Ending {
	return &expose.Ending{Since: c.Since, Sunset: c.Sunset, Instead: "use " + now}
}

// old reads what the field was called, and its values.
func (f *Field) old() error {
	c, err := changeOf(f.Type.Annotations)
	if err != nil {
		return err
	}
	if c.Was != "" {
		f.Old = &Old{Name: c.Was, REST: c.Was, GraphQL: naming.GraphQL(c.Was), Ending: wasCalled(c, f.REST)}
	}
	if !f.Type.IsEnum() {
		return nil
	}
	for before, now := range c.Values {
		if !slices.Contains(f.Type.EnumValues(), before) {
			f.OldValues = append(f.OldValues, OldValue{before, now, wasCalled(c, now)})
		}
	}
	slices.SortFunc(f.OldValues, func(a, b OldValue) int { return strings.Compare(a.Before, b.Before) })
	return nil
}

// Alias is the field by its old name, as clients that use it see and send it. It
// is nil where the field has none.
func (f *Field) Alias() *Field {
	if f.Old == nil || f.Old.REST == "" && f.Old.GraphQL == "" {
		return nil
	}
	alias := *f
	alias.Name, alias.REST, alias.GraphQL, alias.Ending = f.Old.Name, f.Old.REST, []string{f.Old.GraphQL}, f.Old.Ending
	alias.Old, alias.Now, alias.AlsoSent, alias.Lowest, alias.Highest = nil, f, "", "", ""
	return &alias
}

// Named are the fields by the names that REST has for them: those of now, and
// behind them the old ones.
func (e *Entity) Named() []*Field {
	all := slices.Clone(e.Fields)
	for _, f := range e.Fields {
		if alias := f.Alias(); alias != nil && alias.REST != "" {
			all = append(all, alias)
		}
	}
	return all
}

// Alias is the edge by its old name, nil where it has none.
func (g *Edge) Alias() *Edge {
	if g.Old == nil {
		return nil
	}
	alias := *g
	alias.Name, alias.Old, alias.Now = g.Old.Name, nil, g
	return &alias
}

// NamedEdges are the edges by the names that REST has for them.
func (e *Entity) NamedEdges() []*Edge {
	all := slices.Clone(e.Edges)
	for _, g := range e.Edges {
		if alias := g.Alias(); alias != nil {
			all = append(all, alias)
		}
	}
	return all
}

// NamedAttached are [Entity.Attached] by those names.
func (e *Entity) NamedAttached() []*Edge {
	all := e.Attached()
	for _, g := range e.Attached() {
		if alias := g.Alias(); alias != nil {
			all = append(all, alias)
		}
	}
	return all
}

// olds takes the old names away that something else has now, once all of the
// entity is known.
func (e *Entity) olds() {
	for _, f := range e.Fields {
		if f.Old == nil {
			continue
		}
		if e.calls(f.Old.REST) || e.computes(f.Old.REST) || f.AlsoSent == f.Old.REST {
			f.Old.REST = ""
		}
		if e.queries(f.Old.GraphQL) || e.computes(f.Old.GraphQL) {
			f.Old.GraphQL = ""
		}
	}
	for _, g := range e.Edges {
		if g.Old != nil && (e.calls(g.Old.Name) || e.queries(naming.Camel(g.Old.Name))) {
			g.Old = nil
		}
	}
}

// inputOlds takes the old names of the fields of an input away that another of
// them has now, or the operation itself.
func inputOlds(fields []*Field) {
	for _, f := range fields {
		if f.Old == nil {
			continue
		}
		if slices.ContainsFunc(fields, func(o *Field) bool { return o.REST == f.Old.REST }) {
			f.Old.REST = ""
		}
		if slices.Contains(arguments, f.Old.Name) || slices.ContainsFunc(fields, func(o *Field) bool { return o.GraphQL[0] == f.Old.GraphQL }) {
			f.Old.GraphQL = ""
		}
	}
}

// computes reports whether either API has a computed value under the name.
func (e *Entity) computes(name string) bool {
	return slices.ContainsFunc(e.Calcs, func(c *Calc) bool { return c.Name == name || c.GraphQL == name })
}

// calls reports whether REST has something of now under the name.
func (e *Entity) calls(name string) bool {
	return slices.ContainsFunc(e.Fields, func(f *Field) bool { return f.REST == name }) || e.Edge(name) != nil ||
		slices.ContainsFunc(e.Derived, func(d expose.Derived) bool { return d.Name == name })
}

// queries is the same of GraphQL.
func (e *Entity) queries(name string) bool {
	return slices.ContainsFunc(e.Fields, func(f *Field) bool { return slices.Contains(f.GraphQL, name) }) ||
		slices.ContainsFunc(e.Edges, func(g *Edge) bool { return naming.Camel(g.Name) == name }) ||
		slices.ContainsFunc(e.Derived, func(d expose.Derived) bool { return DerivedName(d) == name })
}

// oldEntity has the former names of the entity: REST is the last segment of its paths.
func oldEntity(t *gen.Type, path string) (*Old, error) {
	c, err := changeOf(t.Annotations)
	if err != nil || c.Was == "" {
		return nil, err
	}
	now, many, table := path[strings.LastIndex(path, "/")+1:], naming.Plural(naming.Snake(c.Was)), t.Table()
	if table == naming.Plural(naming.Snake(t.Name)) { // else it has a name of its own, which stays
		table = many
	}
	return &Old{
		Name: c.Was, REST: strings.ReplaceAll(many, "_", "-"), GraphQL: c.Was, Table: table,
		Ending: wasCalled(c, cmp.Or(now, t.Name)),
	}, nil
}

// OldPath is a path of REST at which an operation was before.
type OldPath struct {
	Path   string
	Ending *expose.Ending
}

// OldPaths are those of the call, by each of the names before that its path has.
func (c *Call) OldPaths() (all []OldPath) {
	paths := []OldPath{{Path: c.Path}}
	rename := func(now string, old *Old) {
		if old == nil || old.REST == "" || old.REST == now || now == "" {
			return
		}
		for _, p := range slices.Clone(paths) {
			if path, ok := segment(p.Path, now, old.REST); ok {
				paths = append(paths, OldPath{path, old.Ending})
			}
		}
	}
	rename(c.Entity.Path, c.Entity.Old)
	if c.Parent != nil {
		rename(c.Parent.Path, c.Parent.Old)
	}
	if c.Edge != nil && c.Edge.Old != nil {
		old := *c.Edge.Old
		old.REST = strings.ReplaceAll(old.REST, "_", "-")
		rename(strings.ReplaceAll(c.Edge.Name, "_", "-"), &old)
	}
	return paths[1:]
}

// segment replaces a segment of a path, or several that belong together.
func segment(path, now, old string) (string, bool) {
	before, after, found := strings.Cut(path+"/", "/"+now+"/")
	if !found {
		return "", false
	}
	return strings.TrimSuffix(before+"/"+old+"/"+after, "/"), true
}
