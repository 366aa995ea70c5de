// Package read reads entities for both APIs: pages, cursors, sort,
// filters, search, expansion, counts.
//
// A [Selection] says what is read and how it is written, whichever API asked;
// a [Query] adds which rows. A [Reader] runs it: one SQL statement for the
// page, its total and the rows that its to-one edges lead to, one for each
// edge to many and one for each total of these, whatever the number of rows,
// and appends JSON. The texts of the statements are constant for a
// shape of query, so that each is prepared once. Policies, field visibility
// and soft delete are part of every statement at every level.
//
// What entities there are stands in the generated package entity. REST's
// query parameters are parsed here ([Params]); GraphQL's arguments are by graph/plan.
package read

import (
	"slices"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/lifecycle"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Kind is how a field's values are stored, compared and written.
type Kind uint8

// The kinds.
const (
	ID      Kind = iota // the entity's own id
	Ref                 // the id of another entity
	Int                 // int64
	Float               // float64
	String              // text
	Enum                // text out of a set
	Bool                //
	Time                // microseconds, UTC
	Money               // minor units of a currency: a decimal number outside
	JSON                // JSON text, written as it is
	Strings             // a JSON list of texts, filtered by what it contains
	Objects             // a JSON list of objects
	IDs                 // the ids of rows of another entity, in inputs only
	UUID                // RFC 9562, as text in lower case
	Bytes               // base64 outside
)

// Ordered reports whether values of the kind have an order that a range can bound.
func (k Kind) Ordered() bool {
	switch k {
	case ID, Int, Float, String, Time, Money:
		return true
	}
	return false
}

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
	// Sort is the default order, Limit the default page size.
	Sort  []Term
	Limit int
	// Was is the GraphQL type by its name before, empty where it had none; WasSingular
	// and WasTable are what follows from that.
	Was, WasSingular, WasTable string
}

// Noun is what messages call one: "cart item".
func (e *Entity) Noun() string { return strings.ReplaceAll(e.Singular, "_", " ") }

// Field describes a field of an entity.
type Field struct {
	// Name is the field's name in the schema, Column in the database, REST in REST v1.
	Name, Column, REST string
	// GraphQL lists the field's names in GraphQL.
	GraphQL  []string
	Kind     Kind
	Ref      string // of a Ref: the other entity's GraphQL type
	Values   []string
	Nullable bool
	// Long is set for texts of over a thousand characters.
	Long bool
	// Href is set for a path of REST v1, which every version shows as its own.
	Href bool
	// Filter and Sort say what listings can do with it; Fold is the column
	// that holds the folded text, where it can be searched.
	Filter, Sort bool
	Fold         string
	// Parts is SQLite's table of the trigrams of the folded text, empty where
	// no index of either database finds parts of it.
	Parts string
	// Lowest and Highest are REST's own names for the filters [gte] and [lte].
	Lowest, Highest string
	// Expression is the SQL of a field that is not stored, in which {row}
	// stands for the row and {viewer} for the viewer's id: there Column is a
	// name of its own.
	Expression string
	// Tallied is set for what the database keeps by itself, such as counts of
	// other rows: it changes while updated_at stays.
	Tallied bool
	// Scanned is set where listings can be filtered or sorted by the field, and no
	// index serves that.
	Scanned bool
	// OnRequest is set for what is shown only where it is asked for.
	OnRequest bool
	// Single is set for what is shown with a single row; with many, where it is asked for.
	Single bool
	// Offers, of Objects, are what can be done to the row: shown are those that the
	// row and the viewer allow.
	Offers []Offer
	// Of is the entity of a field with offers, and of one that is Known.
	Of *Entity
	// Render appends what is shown of a text.
	Render func(dst, text []byte) []byte
	// Members are those of each of Objects.
	Members []Member
	// Currency is the field that holds a Money's currency. Units is the amount
	// as a whole number of the smallest unit that any currency has: what
	// listings filter and sort by.
	Currency, Units *Field
	// Roles see the field, everyone where there are none; Known shows it with the rows
	// that the viewer sees as a whole ([policy.ReadWhole]).
	Roles []viewer.Role
	Known bool
	// Ending is set where the field is deprecated: clients do not see it after its
	// sunset.
	Ending *lifecycle.Ending
	// Old is its name before, and OldValues what each value was called, by that.
	Old       *Old
	OldValues map[string]string

	// calc is set for a value that the database computes with the arguments, scaled
	// for an amount in the smallest unit of any currency: see [Calc.With].
	calc      *Calc
	arguments []any
	scaled    bool
	// whole says whether the viewer sees the row as a whole: see [Selection.guard].
	whole bool
}

// Visible reports whether v may see the field, in all rows.
func (f *Field) Visible(v *viewer.Viewer) bool {
	all, _ := f.Sees(v)
	return all
}

// Sees reports whether v may see the field in all rows, and whether in some: by what
// is seen in some alone, nothing is filtered, sorted or searched.
func (f *Field) Sees(v *viewer.Viewer) (all, some bool) {
	switch {
	case v.System:
		return true, true
	case f.Ending != nil && f.Ending.State(time.Now()) == lifecycle.Retired:
		return false, false
	case len(f.Roles) > 0:
		all = v.Is(f.Roles...)
		return all, all
	case !f.Known:
		return true, true
	case f.Of == nil:
		return v.Authenticated(), v.Authenticated()
	}
	return f.Of.Rules.SeesWhole(v)
}

// Edge describes an edge of an entity that the APIs show.
type Edge struct {
	// Name is the edge's name in the schema and in REST v1, GraphQL the one
	// in GraphQL, where a connection's ends in Connection.
	Name, GraphQL string
	To            *Entity
	// Many is set where the edge leads to any number of rows.
	Many bool
	// Column is the foreign key: in the entity's own table where Own is set, else in To's.
	Column string
	Own    bool
	// Join is the table between, of an edge of many to many.
	Join *Join
	// Tree is set where the edge leads over any number of steps. Column and Join
	// are empty then.
	Tree *Tree
	// Required is set where there always is a row at the other end.
	Required bool
	// List is the path in REST of the list that an edge to many leads to, below
	// the base, with {id} for the row's id: "/posts/{id}/comments". Empty where
	// there is none.
	List string
	// Through lifts To's policy for rows reached this way; Filter lets GraphQL filter by the edge.
	Through, Filter bool
	// Old is its name before.
	Old *Old
}

// readable says which rows v can read by way of the edge. What lifts the
// policy at the end of a required edge lifts soft deletion too: a post keeps
// its author.
func (g *Edge) readable(v *viewer.Viewer, deleted bool) policy.Rule {
	rules := g.To.Rules
	if g.Through {
		rules.Read = policy.Anyone()
	}
	switch {
	case g.Through && g.Required:
		return rules.Readable(v, true)
	case deleted:
		return rules.Shown(v)
	}
	return rules.Readable(v, false)
}

// Join is the table of an edge of many to many.
type Join struct{ Table, From, To string }

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

// ID returns the entity's id field.
func (e *Entity) ID() *Field { return e.Fields[0] }
