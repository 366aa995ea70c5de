package writing

import (
	"context"

	"entgo.io/ent"
	"entgo.io/ent/dialect/sql"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Client is the service's client of Ent, which descriptions know by its type.
type Client any

// Entity describes an entity that can be written. Descriptions are generated and
// never change.
type Entity struct {
	*reading.Entity
	// Fields are those that inputs can name, in the order of the schema: the
	// read-only ones too, since a row can be sent back as it was read.
	Fields []*Field
	// Versioned rows count their changes in the field version; SoftDelete is set
	// where deleted rows stay; Cascades where others are deleted and restored with them.
	Versioned, SoftDelete, Cascades bool
	// Unhooked: nothing in Go follows from writes but what this package knows.
	// Defaults are the columns that new rows get by themselves, Follows those that
	// follow from others.
	Unhooked bool
	Defaults []Column
	Follows  []Follow
	// Create begins a row, which Insert makes: all in one statement.
	Create func(Client) Insert
	Insert func(context.Context, Client, ...Insert) ([]Row, error)
	// Update begins an update.
	Update func(Client) Update
	// Hide deletes a row softly, and Restore brings it back: nil without soft
	// delete. Remove deletes it for good; without an id, what the conditions admit. They return how many rows they touched, 0 or 1.
	Hide, Restore, Remove func(ctx context.Context, c Client, id int64, where ...func(*sql.Selector)) (int, error)
	// Get returns the fields of the row that the conditions admit, by their names
	// in the schema: plain values, as in [Field.Check], nil for null.
	Get func(ctx context.Context, c Client, where ...func(*sql.Selector)) (func(field string) any, error)
	// Actions are what can be done to rows beside that, Marks what users do to them
	// and take back. State is the field whose moves are declared, nil for none.
	Actions []*Action
	Marks   []*Mark
	State   *State
	// Upsert says that a create changes the row that is there, nil where it does not.
	Upsert *expose.Upsert
	// Edges are those by which clients attach rows.
	Edges []*Edge
	// Links are reads that are offered among the actions.
	Links []expose.Link
	// Making calls the method that makes a row of judged input, or finds the one
	// that there is, in the place of Insert. Methods are [Engine.Methods]. Nil: none does.
	Making func(ctx context.Context, methods any, in Values) (Result, error)
	// CreateBeside and UpdateBeside are inputs beside the entity's own, which
	// [Around] sees to.
	CreateBeside, UpdateBeside []*Field
}

// Insert is a row of Ent's that is not made yet.
type Insert struct {
	ent.Mutation
	// Builder is Ent's, for [Entity.Insert].
	Builder any
}

// Update is an update of Ent's that is not run yet.
type Update struct {
	Mutation
	// Run runs it, and returns how many rows it touched.
	Run func(context.Context) (int, error)
	// Modify adds what the statement says beside the mutation.
	Modify func(...func(*sql.UpdateBuilder))
}

// Mutation is a mutation of Ent's that takes conditions in SQL.
type Mutation interface {
	ent.Mutation
	WhereP(...func(*sql.Selector))
}

// Field is what an input may do with a field.
type Field struct {
	*reading.Field
	// OnCreate and OnUpdate say when it can be set; a field with neither is read-only.
	OnCreate, OnUpdate bool
	// Required: a new row, and a replacement, must name it.
	Required bool
	// Writers are the roles that set it. Empty: all that may write the row.
	Writers []viewer.Role
	// Caller: it is the id of the user who creates the row. Writers may name another.
	Caller bool
	// Kept: a replacement does not change it.
	Kept bool
	// Secret values are not echoed in errors.
	Secret bool
	// Default is the value without one, nil where there is none.
	Default func() any
	// Check says what is wrong with a value, nil where anything of the kind is
	// right. Values are int64 (numbers, ids, amounts in minor units), float64,
	// string, bool, time.Time, uuid.UUID, []byte, []string, or what Decode returns.
	Check func(any) error
	// Stored is the value in the type that Ent has for the field. Nil: as it is.
	Stored func(any) any
	// Decode reads the JSON of a field of that kind.
	Decode func(any) (any, error)
	// Span, of a time in an action's input, lets a day be named as well: its
	// beginning for expose.MomentFormat, its end for expose.EndFormat.
	Span string
	// Members are the fields of each of Objects, in an action's input, and Least and
	// Most how many there are: the value is a list of [Values].
	Members     []*Field
	Least, Most int
	// Refers is the entity of the row that the field names.
	Refers *reading.Entity
	// Key is a second name for the field in inputs, by which the row is named by
	// its entity's Key and not by its id: "category" for "category_id".
	Key string
}

// Field returns the field with the name in the schema, or nil.
func (e *Entity) Field(name string) *Field { return named(e.Fields, name) }

func named(fields []*Field, name string) *Field {
	for _, f := range fields {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// stored is the value in Ent's type.
func (f *Field) stored(value any) any {
	if f.Stored == nil {
		return value
	}
	return f.Stored(value)
}

// settable reports whether the viewer may set the field.
func (f *Field) settable(v *viewer.Viewer) bool {
	return len(f.Writers) == 0 || v.System || v.Is(f.Writers...)
}
