// Package entity has the description of an entity: its fields and their kinds, its
// edges, the values that are computed of its rows, and its operations.
//
// It knows no SQL beyond the expressions that schemas declare, and no HTTP. The
// descriptions of a service's entities are generated; package read makes statements
// of them, package write decodes by them, and the doors name what they show by them.
package entity

import (
	"encoding/json"
	"slices"

	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/policy"
)

// Entity describes an exposed entity. Descriptions are generated and never change.
type Entity struct {
	// Name is the GraphQL type, Singular and Path what REST calls one and many.
	Name, Singular, Path string
	Table                string
	Fields               []*Field
	Edges                []*Edge
	Calcs                []*Calc
	Rules                policy.Rules
	// Key stands for the id in REST's paths and in filters over edges to the
	// entity, nil for the id itself.
	Key *Field
	// Search are the fields that full-text search looks in, those that weigh
	// most first; none where it does not look in the entity.
	Search []*Field
	// Changes is set where programs follow the changes of its rows.
	Changes bool
	// Live is set where clients follow lists of its rows.
	Live bool
	// Presence judges what those who look at a row say of themselves. Nil: viewers of
	// its rows are not shown.
	Presence Presence
	// Sort is the default order, Limit the default page size.
	Sort  []Term
	Limit int
	// Was is the GraphQL type by its name before, empty where it had none; WasSingular
	// and WasTable are what follows from that.
	Was, WasSingular, WasTable string
}

// Presence judges what those who look at a row say of themselves.
type Presence interface {
	// State returns the JSON in the form that is shown. The error describes the
	// invalid part.
	State(text []byte) (json.RawMessage, error)
}

// Term is one term of an order. Nulls come last in both directions.
type Term struct {
	Field *Field
	Desc  bool
}

// Noun is the entity's name in messages: "cart item".
func (e *Entity) Noun() string { return gid.Words(e.Singular) }

// ID returns the entity's id field.
func (e *Entity) ID() *Field { return e.Fields[0] }

// IDs are the entity's rows as ids name them.
func (e *Entity) IDs() gid.Rows {
	rows := gid.Rows{Type: e.Name}
	if len(e.Fields) > 0 {
		rows.Form = e.ID().Kind.IDs()
	}
	return rows
}

// Field returns the field with the schema name, or nil.
func (e *Entity) Field(name string) *Field {
	i := slices.IndexFunc(e.Fields, func(f *Field) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return e.Fields[i]
}

// RESTField returns the field with the REST v1 name, or nil.
func (e *Entity) RESTField(name string) *Field {
	i := slices.IndexFunc(e.Fields, func(f *Field) bool { return f.REST == name })
	if i < 0 {
		return nil
	}
	return e.Fields[i]
}

// GraphQLField returns the field with the GraphQL name, or nil.
func (e *Entity) GraphQLField(name string) *Field {
	i := slices.IndexFunc(e.Fields, func(f *Field) bool { return slices.Contains(f.GraphQL, name) })
	if i < 0 {
		return nil
	}
	return e.Fields[i]
}

// Edge returns the edge with the name, or nil.
func (e *Entity) Edge(name string) *Edge {
	i := slices.IndexFunc(e.Edges, func(g *Edge) bool { return g.Name == name })
	if i < 0 {
		return nil
	}
	return e.Edges[i]
}

// Calc returns the entity's Calc with the schema name, or nil.
func (e *Entity) Calc(name string) *Calc {
	i := slices.IndexFunc(e.Calcs, func(c *Calc) bool { return c.Name == name })
	if i < 0 {
		return nil
	}
	return e.Calcs[i]
}
