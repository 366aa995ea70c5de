package write

import (
	"context"

	"entgo.io/ent"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/mutation"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Entity describes an entity that can be written. Descriptions are generated and
// never change.
type Entity struct {
	*entity.Entity
	// Fields are those that inputs can name, in the order of the schema: the
	// read-only ones too, since a row can be sent back as it was read.
	Fields []*Field
	// Keeps are the forms of values in columns that no API shows: see [entity.Own].
	Keeps map[string]*entity.Own
	// Rows is how they are written and read: by their schema.
	Rows *mutation.Table
	// Versioned rows count their changes in the field version; SoftDelete is set
	// where deleted rows stay. InSteps is set where a job removes a row for good that
	// much refers to.
	Versioned, SoftDelete, InSteps bool
	// Actions are further operations on rows, Marks the flags that users set on them
	// and take back. State is the field whose moves are declared, nil for none.
	Actions []*Action
	Marks   []*Mark
	State   *State
	// Upsert says that a create changes the row that is there, nil where it does not.
	Upsert *expose.Upsert
	// Topics are those that the database announces its writes under.
	Topics []expose.Topic
	// Constraints are those rules of the database whose violations name fields.
	Constraints []Constraint
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

// Constraint is a rule of the database over a row.
type Constraint struct {
	// Name is the constraint's.
	Name string
	// Fields are the names, in the schema, of those that break it together, and
	// Says what has to be so: "must be …".
	Fields []string
	Says   string
	// Rule is the rule over columns of the row, folded, where inputs are judged by
	// it before: the zero rule, where the database alone knows.
	Rule policy.Rule
}

// Described completes the generated part of an entity by the parts of its schema
// that are Go values: validators, defaults, hooks and policies.
func Described(s ent.Interface, e *Entity) *Entity {
	says, _ := expose.ResourceOf(s)
	e.Topics = says.Events
	e.Rows = mutation.Of(s, e.Entity.Table)
	if e.Rules.Tenancy != nil {
		e.Rows = mutation.Ruled(s, e.Entity.Table, e.Rules)
	}
	e.Rows.Keeping(e.Keeps)
	for _, f := range e.Fields {
		if f.Own != nil {
			e.Rows.Keeping(map[string]*entity.Own{f.Name: f.Own})
		}
		if f.Refers != nil {
			reads := f.Refers.Rules.Reads()
			f.reads, f.link = &reads, e.Rules.Link(f.Column)
		}
		c := e.Rows.Field(f.Name)
		if c == nil || !f.OnCreate && !f.OnUpdate {
			continue
		}
		f.Default = c.Default
		if f.Kind != entity.Enum && !f.Kind.IsRef() {
			f.Check = sized(f.Size, c.Check)
		}
	}
	e.linkInputs()
	return e
}

// sized is a check that bounds the size of values, too.
func sized(maximum int, check func(any) error) func(any) error {
	if maximum == 0 {
		return check
	}
	return func(value any) error {
		if err := expose.CheckSize(value, maximum); err != nil || check == nil {
			return err
		}
		return check(value)
	}
}

// Field describes a field as an input.
type Field struct {
	*entity.Field
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
	// Default is the value where the input has none. Nil: there is no default.
	Default func() any
	// Check returns a message about a value that is not allowed. A nil Check allows
	// all values of the kind. Values are int64 (numbers, ids, amounts in minor units),
	// float64, string, bool, time.Time, uuid.UUID, []byte, []string, or what Decode
	// returns.
	Check func(any) error
	// Size is how many bytes bytes and JSON may have, 0 for any number.
	Size int
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
	Refers *entity.Entity
	reads  *policy.Rule // the rule by which those rows are read: see [Described]
	link   *policy.Link // the link that the field writes, nil for none: see [Described]
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

// settable reports whether the viewer may set the field.
func (f *Field) settable(v *viewer.Viewer) bool {
	return len(f.Writers) == 0 || v.System || v.Is(f.Writers...)
}
