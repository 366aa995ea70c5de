package model

import (
	"slices"
	"strings"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/expose"
)

// Heard are the tables whose writes live lists hear of (expose.Resource.Live), by name:
// those of the entities, of what their edges to one row lead to, and those that the SQL
// of their derived fields names.
func (m *Model) Heard() []*gen.Type {
	heard := map[*gen.Type]bool{}
	tables := m.tables()
	for _, e := range m.Entities {
		if !e.Live {
			continue
		}
		heard[e.Type] = true
		for _, edge := range e.Edges {
			if edge.Type.Unique {
				heard[edge.To.Type] = true
			}
		}
		for _, d := range e.Derived {
			for word := range strings.FieldsFuncSeq(d.SQL, notOfName) {
				if t := tables[word]; t != nil && m.node(t.Name) == t {
					heard[t] = true
				}
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(m.Graph.Nodes), func(t *gen.Type) bool { return !heard[t] })
}

// Matched are the columns by which live lists tell that the write of a row is nothing to
// them: those that a change keeps, and the currencies of amounts by which lists are
// filtered, unless they are too many for one function.
func (e *Entity) Matched() []*gen.Field {
	all := e.Judged()
	for _, f := range e.Fields {
		if f.Units() == "" {
			continue
		}
		if code := e.Field(f.Currency).Type; !slices.Contains(all, code) {
			all = append(all, code)
		}
	}
	if len(all) > mostKept {
		return nil
	}
	return all
}

func notOfName(r rune) bool {
	return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
}

// live checks expose.Resource.Live.
func (c checker) live(tables map[string]*gen.Type) {
	switch {
	case !c.Live:
	case tables["events"] == nil:
		c.wrong("", "live: there is no table of events: embed tables.Event")
	case c.Under != "":
		c.wrong("", "live: an entity with a path of its own is allowed, not one below %s", c.Under)
	case !c.Has(expose.List):
		c.wrong("", "live: an entity whose Operations have expose.List is allowed")
	}
}

// presence checks expose.Resource.Presence.
func (c checker) presence() {
	switch {
	case c.Presence == nil:
	case !c.Live:
		c.wrong("", "presence: an entity with Live: true is allowed, whose writes are heard of")
	case c.Key != "":
		c.wrong("", "presence: an entity whose rows are named by their id is allowed, not by %s", c.Key)
	default:
		for _, m := range c.Presence.Members {
			if m.Name == "" || m.Name == "-" {
				c.wrong("", "presence: each field of the struct needs a json tag")
			}
		}
	}
}

// Attended are the entities whose rows show who looks at them.
func (m *Model) Attended() []*Entity {
	return slices.DeleteFunc(slices.Clone(m.Entities), func(e *Entity) bool { return e.Presence == nil })
}
