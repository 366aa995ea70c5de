package params

import (
	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/viewer"
)

// valueText is the text of a value in a parameter as the first version has it.
func valueText(n *read.Names, of string, f *entity.Field, text string) (string, error) {
	if n == nil || n.Text == nil {
		return text, nil
	}
	return n.Text(of, f, text)
}

// renamed reports whether the first version's name of the field is none in this one.
func renamed(n *read.Names, f *entity.Field) bool {
	return n != nil && n.Renamed != nil && n.Renamed(f)
}

// find returns the field that the name means, by the first version's name, too.
func find(n *read.Names, e *entity.Entity, name string) *entity.Field {
	if n != nil {
		for _, f := range e.Fields {
			if n.Field(f) == name {
				return f
			}
		}
	}
	if f := e.RESTField(name); f != nil && !renamed(n, f) {
		return f
	}
	for _, f := range e.Fields {
		if was(f.Old, n, name) {
			return f
		}
	}
	return nil
}

// findEdge returns the edge that the name means.
func findEdge(n *read.Names, e *entity.Entity, name string) *entity.Edge {
	if n != nil {
		for _, g := range e.Edges {
			if n.Edge(g) == name {
				return g
			}
		}
	}
	if g := e.Edge(name); g != nil {
		return g
	}
	for _, g := range e.Edges {
		if was(g.Old, n, name) {
			return g
		}
	}
	return nil
}

// was reports whether the name is the old one, as the version writes it or as the
// first does.
func was(o *entity.Old, n *read.Names, name string) bool {
	return o != nil && o.Sent(n.NameOfWord, name)
}

// hasOld reports whether something of the entity has an old name.
func hasOld(e *entity.Entity) bool {
	for _, f := range e.Fields {
		if f.Old != nil {
			return true
		}
	}
	for _, g := range e.Edges {
		if g.Old != nil {
			return true
		}
	}
	return false
}

// seen reports whether v sees the field in some row.
func seen(f *entity.Field, v *viewer.Viewer) bool {
	_, some := f.Sees(v)
	return some
}
