package entity

import (
	"errors"
	"slices"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Calc describes a value of each row that the database computes from columns of
// the row and from arguments (doc/schema/calc.md). Its Field has names and kind;
// reads, filters and sorts use the field that [Calc.With] returns for the
// arguments of a request.
type Calc struct {
	*Field
	Arguments []*Argument
	// Reads are the fields that the expression reads: callers who may not see one
	// of them do not see the value.
	Reads []*Field
	// Scale, of an amount, is the SQL of the factor from a minor unit of its currency
	// to the smallest unit of any currency: see [Field.Units].
	Scale string
	// Formula is the expression, which the engine that reads completes.
	Formula Formula
}

// Formula is the expression of a [Calc] for each database, taken apart at its
// columns and arguments.
type Formula struct {
	Postgres, SQLite []expose.CalcTerm
	// Scale is PostgreSQL's factor of an amount, Units the amount on SQLite, both in
	// the smallest unit of any currency.
	Scale, Units []expose.CalcTerm
	// Now is set where the value depends on the time.
	Now bool
}

// Argument is an argument of a [Calc].
type Argument struct {
	*Field
	// Required has to be given. Default is the value where nothing is, nil for null.
	Required bool
	Default  any
	// Check returns a message about a value that is not allowed. A nil Check allows
	// all values of the kind.
	Check func(any) error
}

// Computed is a [Calc] with arguments, in the order of [Calc.Arguments].
type Computed struct {
	Calc      *Calc
	Arguments []any
	// Units is set for an amount in the smallest unit of any currency.
	Units bool
}

// Visible reports whether v may see all fields that the value is computed from.
func (c *Calc) Visible(v *viewer.Viewer) bool {
	return !slices.ContainsFunc(c.Reads, func(f *Field) bool { return !f.Visible(v) })
}

// With is the value with the arguments, in the order of [Calc.Arguments], as a field.
func (c *Calc) With(arguments []any) *Field {
	v := &struct {
		value Field
		with  Computed
	}{*c.Field, Computed{Calc: c, Arguments: arguments}}
	v.value.Computed, v.value.Filter, v.value.Sort = &v.with, true, true
	if c.Kind == Money {
		v.value.Units = v.value.inUnits()
	}
	return &v.value
}

// inUnits is a computed amount in the smallest unit of any currency.
func (f *Field) inUnits() *Field {
	v := &struct {
		value Field
		with  Computed
	}{*f, *f.Computed}
	v.with.Units = true
	v.value.Kind, v.value.Currency, v.value.Computed = Int, nil, &v.with
	return &v.value
}

// Bind returns the value with the arguments that are given, and nil where
// something is wrong with them: bad is called with each finding. A value is decoded, and as
// [Field.Parse] returns it.
func (c *Calc) Bind(given func(*Argument) (value any, ok bool, err error), bad func(*Argument, error)) *Field {
	arguments, right := make([]any, len(c.Arguments)), true
	for i, a := range c.Arguments {
		value, ok, err := given(a)
		switch {
		case err != nil:
		case ok:
			if day, isDay := value.(Day); isDay {
				value = day.Start
			}
			if arguments[i] = value; a.Check != nil && a.Kind != Enum {
				err = a.Check(value)
			}
		case a.Required:
			err = errors.New("is required")
		default:
			arguments[i] = a.Default
		}
		if err != nil {
			bad(a, err)
			right = false
		}
	}
	if !right {
		return nil
	}
	return c.With(arguments)
}
