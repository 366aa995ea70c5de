package model

import (
	"slices"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/codegen/facts"
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/expose"
)

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
	// Subscriptions are those that its topics feed.
	Subscriptions []*Subscription
	// KeyField is the field that stands for the id in REST's paths, nil for the id itself.
	KeyField *Field
	// SoftDelete and Versioned follow from the mixins.
	SoftDelete, Versioned bool
	// InSteps is set where the removal of a row for good is left to a job if much refers
	// to the row: the service has a table of jobs, and the row can be hidden.
	InSteps bool
	// Calcs are values that the database computes with arguments.
	Calcs []*Calc
	// Actions and Marks are further operations on rows, and Extra is input of
	// operations that is no field.
	Actions []*Action
	Marks   []*Mark
	Extra   map[expose.Operation][]*Field
	// Ending is when all operations on it end, nil where they do not.
	Ending *expose.Ending
	// Old is its name before, nil where it had none.
	Old *Old
	// Offered are the actions and reads that a row shows to be possible.
	Offered []Offer
	// Rules are its policy, nil where the schemas were not asked.
	Rules *facts.Rules
	// Rights are the fields that say what the caller may do to a row.
	Rights []Right
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

// DefaultLimit is the page size of a listing that has none of its own.
const DefaultLimit = 20

// PageSize is how many rows a page of a listing has unless the caller says.
func (e *Entity) PageSize() int {
	if e.Limit == 0 {
		return DefaultLimit
	}
	return e.Limit
}

func newEntity(t *gen.Type, r expose.Resource) (e *Entity, errs []error) {
	e = &Entity{Resource: r, Type: t, Name: t.Name, Singular: naming.Snake(t.Name), Comment: comment(t), Extra: map[expose.Operation][]*Field{}}
	var err error
	if e.Ending, err = ending(t.Annotations); err != nil {
		errs = append(errs, ProblemAt(t, "", err))
	}
	if e.Old, err = oldEntity(t, r.Path); err != nil {
		errs = append(errs, ProblemAt(t, "", err))
	}
	for _, f := range inReadingOrder(t) {
		a, err := FieldAnnotation(f.Annotations)
		if err != nil {
			continue // the check of all fields reports it
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
			errs = append(errs, ProblemAt(t, f.Name, err))
			continue
		}
		e.Fields = append(e.Fields, shown)
	}
	e.KeyField = e.Field(r.Key)
	for _, name := range r.Search {
		if f := e.Field(name); f != nil {
			e.SearchFields = append(e.SearchFields, f)
		}
	}
	return e, errs
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

// PartFields are those that an index finds parts of the texts of: none where
// full-text search does not look in the entity.
func (e *Entity) PartFields() (fields []*Field) {
	if len(e.SearchFields) == 0 {
		return nil
	}
	for _, f := range e.Fields {
		if f.SearchBy() {
			fields = append(fields, f)
		}
	}
	return fields
}

// Parts is the name of that index: of SQLite's, that of a table.
func (e *Entity) Parts() string { return "search_" + e.Type.Table() + "_parts" }

// SearchRow is PostgreSQL's column of the numbers by which full-text search knows the age of
// rows whose ids are no numbers.
const SearchRow = "search_row"

// SearchRows is the name of what has these numbers: of PostgreSQL's sequence, and of
// SQLite's table.
func SearchRows(t *gen.Type) string { return "search_" + t.Table() + "_rows" }

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
