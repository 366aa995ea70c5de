package manifest

import (
	"strings"

	"github.com/entwine-go/entwine/kit/entity"
)

// Names are those of a version of REST.
type Names struct {
	Version     string // v2
	Base        string // /api/v2
	Conventions Conventions
	Limits      Limits
	// Language is that of labels, titles and descriptions: the schema's, where it is empty.
	Language string
	// Field and Edge return names of fields and edges of entities. Input returns the
	// name of a field of an input or an answer, by its names in version 1 and in
	// GraphQL. Word returns the form of any other word in snake_case.
	Field func(*entity.Field) string
	Edge  func(*entity.Edge) string
	Input func(rest, graphql string) string
	Word  func(string) string
}

// naming gives a document that has the names of version 1 those of another.
type naming struct {
	Names
	entities map[string]*entity.Entity
}

func (n naming) entity(e *Entity) {
	of := n.entities[e.Name]
	for _, f := range e.Fields {
		n.field(of, f)
	}
	field := func(name *string) {
		if f := of.RESTField(*name); f != nil {
			*name = n.Field(f)
		}
	}
	for _, name := range []*string{&e.ID, &e.Key, &e.Title, &e.Version} {
		field(name)
	}
	for i := range e.Search {
		field(&e.Search[i])
	}
	e.Sort = n.sort(of, e.Sort)
	if e.State != nil {
		field(&e.State.Field)
	}
	for _, g := range e.Edges {
		n.edge(of, g)
	}
	for _, c := range e.Computed {
		c.Name = n.Input(c.Name, c.GraphQL)
		n.inputs(c.Input)
	}
	for _, c := range e.Verbs {
		n.call(c)
	}
	for _, a := range e.Actions {
		n.call(&a.Call)
		n.inputs(a.Answer)
		field(&a.Marked)
		for _, c := range a.Charts {
			c.List, c.Along, c.Each = n.Word(c.List), n.Word(c.Along), n.Word(c.Each)
			for i, v := range c.Values {
				c.Values[i] = n.Word(v)
			}
		}
	}
	if e.Under != "" {
		e.Under = n.edgeName(of, e.Under)
	}
	e.Singular, e.Plural, e.Path = n.Word(e.Singular), n.Word(e.Plural), n.path(e.Path)
}

// field names a field of an entity. Members that answers do not have, such as a
// secret, are named as inputs.
func (n naming) field(of *entity.Entity, f *Field) {
	if f.Currency != "" {
		if currency := of.RESTField(f.Currency); currency != nil {
			f.Currency = n.Field(currency)
		}
	}
	if shown := of.RESTField(f.Name); shown != nil {
		f.Name = n.Field(shown)
	} else {
		f.Name = n.Input(f.Name, f.GraphQL)
	}
	n.inputs(f.Members)
}

func (n naming) inputs(all []*Field) {
	for _, f := range all {
		f.Name = n.Input(f.Name, f.GraphQL)
		n.inputs(f.Members)
	}
}

func (n naming) edge(of *entity.Entity, g *Edge) {
	if g.Inverse != "" {
		g.Inverse = n.edgeName(n.entities[g.To], g.Inverse)
	}
	if g.Step != "" {
		g.Step = n.edgeName(of, g.Step)
	}
	if f := of.RESTField(g.Field); f != nil {
		g.Field = n.Field(f)
	}
	if g.Attach != nil {
		g.Attach.IDs, g.Attach.Path = n.Word(g.Attach.IDs), n.path(g.Attach.Path)
	}
	g.Name, g.List = n.edgeName(of, g.Name), n.path(g.List)
}

func (n naming) edgeName(of *entity.Entity, name string) string {
	if of != nil {
		if g := of.Edge(name); g != nil {
			return n.Edge(g)
		}
	}
	return n.Word(name)
}

func (n naming) call(c *Call) {
	if c.Edge != "" {
		c.Edge = n.edgeName(n.entities[c.Of], c.Edge)
	}
	n.inputs(c.Input)
	c.Path = n.path(c.Path)
}

// sort names the fields of an order: "-created_at,id".
func (n naming) sort(of *entity.Entity, order string) string {
	if order == "" {
		return ""
	}
	terms := strings.Split(order, ",")
	for i, term := range terms {
		name := strings.TrimPrefix(term, "-")
		if f := of.RESTField(name); f != nil {
			terms[i] = strings.TrimSuffix(term, name) + n.Field(f)
		}
	}
	return strings.Join(terms, ",")
}

// path names the parameters of a path: its other segments are the same in each version.
func (n naming) path(path string) string {
	segments := strings.Split(path, "/")
	for i, s := range segments {
		if strings.HasPrefix(s, "{") {
			segments[i] = n.Word(s)
		}
	}
	return strings.Join(segments, "/")
}

// column returns what the caller calls the columns of an entity, in the words of rules.
// One that the caller never sees has no name.
func (n naming) column(of *entity.Entity, seen func(*entity.Field) bool) func(string) string {
	return func(column string) string {
		for _, f := range of.Fields {
			if f.Column != column {
				continue
			}
			if !seen(f) {
				return "a hidden field"
			}
			if f.REST != "" {
				return n.Field(f)
			}
		}
		return n.Word(column)
	}
}
