// Package model is Ent's graph in the vocabulary of package expose: which
// entities, fields, edges and operations the APIs show, by which names, and
// whether what a schema says of them is possible. It holds facts; what is
// written of them, in Go, SQL, GraphQL or OpenAPI, is for the emitters beside
// it, which all read the one [Model].
package model

import (
	"fmt"
	"slices"

	"entgo.io/ent/entc/gen"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/expose"
)

// Model is Ent's graph in the vocabulary of the APIs: what every step after
// Ent itself generates from.
type Model struct {
	Graph *gen.Graph
	// Entities are the exposed ones, by name.
	Entities []*Entity
	// UnitIndexes are the indexes that begin with an amount.
	UnitIndexes []UnitIndex
}

// Entity is an exposed entity.
type Entity struct {
	expose.Resource
	Type *gen.Type
	// Name is the Go and GraphQL name, Singular the REST name of one.
	Name, Singular string
	Comment        string
	// Fields are those that the APIs show, the id first.
	Fields []*Field
	Edges  []*Edge
	// SearchFields are those that full-text search looks in.
	SearchFields []*Field
	// KeyField is the field that stands for the id in REST's paths, nil for the id itself.
	KeyField *Field
	// SoftDelete and Versioned follow from the mixins.
	SoftDelete, Versioned bool
}

// Field is a field that the APIs show.
type Field struct {
	expose.Field
	Type   *gen.Field
	Entity *Entity
	// Name is the schema's name, REST the name in REST v1, GraphQL the names
	// in GraphQL (the first is the camelCase one).
	Name, REST string
	GraphQL    []string
	// Kind is the name of a reading.Kind.
	Kind string
	// Ref is the entity that a foreign key leads to.
	Ref string
	// Known is set where anonymous callers do not see the field.
	Known bool
	// Fold is the column of the folded text.
	Fold string
}

// Edge is an edge that the APIs show.
type Edge struct {
	expose.Edge
	Type *gen.Edge
	Name string
	To   *Entity
}

// Has reports whether the operation is generated for the entity.
func (e *Entity) Has(o expose.Operation) bool { return slices.Contains(e.Operations, o) }

// Offers reports whether the entity has the operation, generated or by hand.
func (e *Entity) Offers(o expose.Operation) bool {
	return e.Has(o) || slices.Contains(e.ByHand, o)
}

// Field returns the field with the schema's name, or nil.
func (e *Entity) Field(name string) *Field {
	for _, f := range e.Fields {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Edge returns the edge that is shown under the name, nil if there is none.
func (e *Entity) Edge(name string) *Edge {
	i := slices.IndexFunc(e.Edges, func(edge *Edge) bool { return edge.Name == name })
	if i < 0 {
		return nil
	}
	return e.Edges[i]
}

// FilterBy, SortBy and SearchBy report what listings can do with the field.
func (f *Field) FilterBy() bool { return slices.Contains(f.By, expose.Filter) }

// SortBy reports whether listings can be sorted by the field.
func (f *Field) SortBy() bool { return slices.Contains(f.By, expose.Sort) }

// SearchBy reports whether listings can be searched by the field.
func (f *Field) SearchBy() bool { return slices.Contains(f.By, expose.Search) }

// OnCreate reports whether a client can set the field when it creates a row.
func (f *Field) OnCreate() bool { return !f.ReadOnly && f.Name != "id" }

// OnUpdate reports whether a client can change the field.
func (f *Field) OnUpdate() bool { return f.OnCreate() && !f.Type.Immutable && !f.Initial }

// RequiredOnCreate reports whether a client must set the field when it creates a row.
func (f *Field) RequiredOnCreate() bool {
	return f.OnCreate() && !f.Type.Optional && !f.Type.Default && !f.Caller
}

// RequiredOnReplace reports whether a client must name the field when it
// replaces a row: it has no default to return to.
func (f *Field) RequiredOnReplace() bool {
	return f.OnUpdate() && !f.Type.Optional && !f.Type.Default && !f.Kept && len(f.Writable) == 0
}

// Strings reports whether the field is a list of texts.
func (f *Field) Strings() bool {
	return f.Type.IsJSON() && f.Type.Type.String() == "[]string"
}

// DefaultLimit is the page size of a listing that has none of its own.
const DefaultLimit = 20

// PageSize is how many rows a page of a listing has unless the caller says.
func (e *Entity) PageSize() int {
	if e.Limit == 0 {
		return DefaultLimit
	}
	return e.Limit
}

// New reads the graph. A mistake in an annotation is an error that names
// the file, the field and what is allowed.
func New(graph *gen.Graph) (*Model, error) {
	m := &Model{Graph: graph}
	byType := map[string]*Entity{}
	for _, t := range graph.Nodes {
		var r expose.Resource
		exposed, err := annotation(t.Annotations, &r)
		if err != nil {
			return nil, ProblemAt(t, "", err)
		}
		if !exposed {
			continue
		}
		e, err := newEntity(t, r)
		if err != nil {
			return nil, err
		}
		m.Entities = append(m.Entities, e)
		byType[t.Name] = e
	}
	for _, e := range m.Entities {
		if err := e.addEdges(byType); err != nil {
			return nil, err
		}
	}
	if err := m.check(); err != nil {
		return nil, err
	}
	m.indexForeignKeys()
	m.indexUnits()
	return m, nil
}

func newEntity(t *gen.Type, r expose.Resource) (*Entity, error) {
	e := &Entity{Resource: r, Type: t, Name: t.Name, Singular: naming.Snake(t.Name), Comment: comment(t)}
	for _, f := range inReadingOrder(t) {
		a, err := FieldAnnotation(f.Annotations)
		if err != nil {
			return nil, ProblemAt(t, f.Name, err)
		}
		switch f.Name {
		case "deleted_at":
			e.SoftDelete = true
		case "version":
			e.Versioned = true
		}
		if a.Internal || f.Sensitive() {
			continue
		}
		shown, err := newField(e, f, a)
		if err != nil {
			return nil, ProblemAt(t, f.Name, err)
		}
		e.Fields = append(e.Fields, shown)
	}
	e.KeyField = e.Field(r.Key)
	for _, name := range r.Search {
		if f := e.Field(name); f != nil {
			e.SearchFields = append(e.SearchFields, f)
		}
	}
	return e, nil
}

// inReadingOrder returns the id, the entity's own fields, and then what the
// mixins add, as a person would list them.
func inReadingOrder(t *gen.Type) []*gen.Field {
	fields := slices.Clone(t.Fields)
	slices.SortStableFunc(fields, func(a, b *gen.Field) int { return mixed(a) - mixed(b) })
	return append([]*gen.Field{t.ID}, fields...)
}

func mixed(f *gen.Field) int {
	if f.Position != nil && f.Position.MixedIn {
		return 1
	}
	return 0
}

func newField(e *Entity, f *gen.Field, a expose.Field) (*Field, error) {
	kind, err := kindOf(f, a)
	if err != nil {
		return nil, err
	}
	shown := &Field{Field: a, Type: f, Entity: e, Name: f.Name, REST: f.Name, Kind: kind}
	if a.Named != "" {
		shown.REST = a.Named
	}
	if name, ok := e.Names[f.Name]; ok {
		shown.REST = name
	}
	shown.Known = len(e.Public) > 0 && !slices.Contains(e.Public, f.Name)
	shown.GraphQL = []string{naming.Camel(f.Name)}
	if slices.Contains(printedNames, f.Name) {
		shown.GraphQL = append(shown.GraphQL, f.Name)
	}
	if Folded(a) {
		shown.Fold = f.Name + FoldSuffix
	}
	for _, edge := range e.Type.Edges {
		if edge.Field() == f {
			shown.Kind, shown.Ref = "Ref", edge.Type.Name
		}
	}
	return shown, nil
}

// printedNames are the snake_case names that GraphQL has beside the camelCase
// ones (doc/api/values.md).
var printedNames = []string{"created_at", "updated_at", "is_active", "deleted_at"}

func kindOf(f *gen.Field, a expose.Field) (string, error) {
	switch {
	case f.Name == "id":
		return "ID", nil
	case a.Currency != "":
		return "Money", nil
	case f.IsEnum():
		return "Enum", nil
	case f.IsBool():
		return "Bool", nil
	case f.IsTime():
		return "Time", nil
	case f.IsString():
		return "String", nil
	case f.IsJSON() && f.Type.RType != nil && f.Type.RType.Ident == "[]string":
		return "Strings", nil
	case f.IsJSON():
		return "JSON", nil
	case f.Type.Type == field.TypeFloat64 || f.Type.Type == field.TypeFloat32:
		return "Float", nil
	case f.Type.Type.Integer():
		return "Int", nil
	}
	return "", fmt.Errorf("a field of type %s cannot be shown: string, text, enum, bool, int, float, time, JSON and []string are allowed, or expose.Internal()", f.Type)
}

func (e *Entity) addEdges(byType map[string]*Entity) error {
	for _, edge := range e.Type.Edges {
		var a expose.Edge
		if _, err := annotation(edge.Annotations, &a); err != nil {
			return ProblemAt(e.Type, edge.Name, err)
		}
		to, exposed := byType[edge.Type.Name]
		if a.Hidden || !exposed || e.joins(edge) {
			continue
		}
		e.Edges = append(e.Edges, &Edge{Edge: a, Type: edge, Name: edge.Name, To: to})
	}
	return nil
}

// joins reports whether Ent added the edge to the rows between, for an edge
// of many to many that the schema declares.
func (e *Entity) joins(edge *gen.Edge) bool {
	for _, other := range e.Type.Edges {
		if other.Through == edge.Type && !edge.Unique && edge.Comment() == "" {
			return true
		}
	}
	return false
}

// Tally returns what the named field counts, nil if it counts nothing.
func (e *Entity) Tally(name string) *expose.Tally {
	for _, f := range e.Type.Fields {
		if f.Name == name {
			a, _ := FieldAnnotation(f.Annotations)
			return a.Tally
		}
	}
	return nil
}

// SchemaEdge returns the edge with the name, shown or not, nil if there is none.
func (e *Entity) SchemaEdge(name string) *gen.Edge {
	for _, edge := range e.Type.Edges {
		if edge.Name == name {
			return edge
		}
	}
	return nil
}
