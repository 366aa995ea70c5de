package read

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"entgo.io/ent"
	"entgo.io/ent/dialect"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/mutation"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Calc describes a value of each row that the database computes from columns of
// the row and from arguments (doc/schema/calc.md). Its Field has names and kind;
// what is read, filtered and sorted by is that [Calc.With] arguments.
type Calc struct {
	*Field
	Arguments []*Argument
	// Reads are the fields that the expression reads: callers who may not see one
	// of them do not see the value.
	Reads []*Field
	// Scale, of an amount, is the SQL of what a minor unit is of the smallest unit
	// of any currency: see [Field.Units].
	Scale string

	postgres, sqlite, scale []expose.CalcTerm
	units                   []expose.CalcTerm // on SQLite: see [Calc.inUnits]
	now                     bool              // it depends on the time
}

// Argument is an argument of a [Calc].
type Argument struct {
	*Field
	// Required has to be given. Default is the value where nothing is, nil for null.
	Required bool
	Default  any
	// Check says what is wrong with a value, nil where anything of the kind is right.
	Check func(any) error
}

// Calculated completes the descriptions by what the schema says in Go: the
// expressions, and bounds and defaults of arguments.
func Calculated(s ent.Interface, all ...*Calc) []*Calc {
	for _, c := range all {
		declared := expose.CalcOf(s, c.Name)
		c.postgres, c.sqlite = calcTerms(declared.In(dialect.Postgres)), c.onSQLite(calcTerms(declared.In(dialect.SQLite)))
		c.scale = calcTerms(c.Scale)
		c.units = c.inUnits()
		c.now = slices.ContainsFunc(slices.Concat(c.postgres, c.sqlite), func(t expose.CalcTerm) bool { return t.Argument == expose.CalcNow })
		for i, a := range c.Arguments {
			d := declared.Input[i].Descriptor()
			a.Check = mutation.Checks(d)
			if d.Default != nil {
				a.Default = mutation.Plain(d.Default)
			}
		}
	}
	return all
}

func calcTerms(text string) []expose.CalcTerm {
	terms, err := expose.CalcTerms(text)
	if err != nil {
		panic(err) // the generator has refused it
	}
	return terms
}

// Visible reports whether v may see the value: what it is computed of.
func (c *Calc) Visible(v *viewer.Viewer) bool {
	return !slices.ContainsFunc(c.Reads, func(f *Field) bool { return !f.Visible(v) })
}

// With is the value with the arguments, in the order of [Calc.Arguments], as a field.
func (c *Calc) With(arguments []any) *Field {
	f := *c.Field
	f.calc, f.arguments, f.Filter, f.Sort = c, arguments, true, true
	if c.Kind == Money {
		units := f
		units.Kind, units.Currency, units.scaled = Int, nil, true
		f.Units = &units
	}
	return &f
}

// Bind returns the value with the arguments that are given, and nil where
// something is wrong with them: bad is told of each. A value is decoded, and as
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

// Calc returns the entity's Calc with the schema name, or nil.
func (e *Entity) Calc(name string) *Calc {
	i := slices.IndexFunc(e.Calcs, func(c *Calc) bool { return c.Name == name })
	if i < 0 {
		return nil
	}
	return e.Calcs[i]
}

// Same reports whether both have the same values: of computed ones, whether they
// have the same arguments.
func (f *Field) Same(other *Field) bool {
	if f == other || f.Column != other.Column || f.calc != other.calc || f.scaled != other.scaled {
		return f == other
	}
	return f.calc == nil || reflect.DeepEqual(f.arguments, other.arguments)
}

// calcTypes are PostgreSQL's types of arguments and of values.
var calcTypes = map[Kind]string{
	Int: "bigint", Money: "bigint", Float: "double precision", String: "text", Enum: "text", Bool: "boolean", Time: "timestamptz", UUID: "uuid",
}

// calculated writes the expression of a computed value. It is cast to the type
// of its kind, so that the databases compare it with the places of cursors as
// they order by it, and what is no finite number is null.
func (b *builder) calculated(alias string, f *Field) {
	c := f.calc
	b.calculates = c
	if !b.postgres {
		terms := c.sqlite
		if f.scaled {
			terms = c.units
		}
		b.calcTerms(alias, f, terms)
		return
	}
	before, after := "CAST((", ") AS "+calcTypes[f.Kind]+")"
	switch f.Kind {
	case Float:
		before, after = "NULLIF(NULLIF(NULLIF("+before, after+", 'NaN'), 'Infinity'), '-Infinity')"
	case String:
		before, after = "("+before, after+` COLLATE "C")`
	}
	if f.scaled {
		b.WriteString("(")
	}
	b.WriteString(before)
	b.calcTerms(alias, f, c.postgres)
	b.WriteString(after)
	if f.scaled {
		b.WriteString(" * ")
		b.calcTerms(alias, f, c.scale)
		b.WriteString(")")
	}
}

func (b *builder) calcTerms(alias string, f *Field, terms []expose.CalcTerm) {
	for _, t := range terms {
		switch {
		case t.Column != "":
			b.column(alias, t.Column)
		case t.Argument == expose.CalcNow && b.now.IsZero(): // of a digest, which is the same at any time
			b.WriteString(":now")
		case t.Argument == expose.CalcNow:
			b.typed(Time, b.now)
		case t.Argument != "":
			i := slices.IndexFunc(f.calc.Arguments, func(a *Argument) bool { return a.Name == t.Argument })
			b.typed(f.calc.Arguments[i].Kind, f.arguments[i])
		default:
			b.WriteString(t.SQL)
		}
	}
}

// typed writes an argument of an expression, whose type PostgreSQL could not
// tell in every place.
func (b *builder) typed(kind Kind, value any) {
	if !b.postgres {
		b.Arg(value)
		return
	}
	b.WriteString("CAST(")
	b.Arg(value)
	b.WriteString(" AS " + calcTypes[kind] + ")")
}

// blamed says of the error of a statement whether arguments led to it: to a
// division by zero, or out of the range of a type.
func (b *builder) blamed(err error) error {
	if b.calculates != nil && store.IsUncomputable(err) {
		return problem.Wrap(err, problem.Invalid, "%s can't be computed of every row with these arguments", b.calculates.Name)
	}
	return err
}

// byNow reports whether the order depends on the time.
func byNow(terms []Term) bool {
	return slices.ContainsFunc(terms, func(t Term) bool { return t.Field.calc != nil && t.Field.calc.now })
}

// term adds a term of an order to the digest, under the name.
func (d digest) term(t Term, name string) digest {
	d = d.text(name)
	for _, argument := range t.Field.arguments {
		d = d.text(fmt.Sprint(argument))
	}
	if t.Desc {
		d = d.text("-")
	}
	return d
}

// moment is now, as the databases keep times.
func moment() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }
