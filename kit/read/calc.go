package read

import (
	"fmt"
	"slices"
	"time"

	"entgo.io/ent"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/mutation"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
)

// Calculated completes the descriptions by the parts of the schema that are Go
// values: the expressions, and bounds and defaults of arguments.
func Calculated(s ent.Interface, all ...*entity.Calc) []*entity.Calc {
	for _, c := range all {
		declared := expose.CalcOf(s, c.Name)
		c.Formula = formula(c, declared)
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

// formula is the expression as statements have it.
func formula(c *entity.Calc, declared expose.Calc) entity.Formula {
	terms := store.Vary(func(d store.Dialect) []expose.CalcTerm { return calcTerms(d.Expression(declared)) })
	f := entity.Formula{
		Postgres: terms[0],
		SQLite:   onSQLite(c, terms[1]),
		Scale:    calcTerms(c.Scale),
	}
	f.Units = inUnits(f.SQLite, f.Scale)
	f.Now = slices.ContainsFunc(slices.Concat(f.Postgres, f.SQLite), func(t expose.CalcTerm) bool { return t.Argument == expose.CalcNow })
	return f
}

func calcTerms(text string) []expose.CalcTerm {
	terms, err := expose.CalcTerms(text)
	if err != nil {
		panic(err) // the generator has refused it
	}
	return terms
}

// calculated writes the expression of a computed value. It is cast to the type
// of its kind, so that the databases compare it with the places of cursors as
// they order by it, and what is no finite number is null.
func (b *builder) calculated(alias string, f *entity.Field) {
	with := f.Computed
	c := with.Calc
	b.calculates = c
	if !b.postgres {
		terms := c.Formula.SQLite
		if with.Units {
			terms = c.Formula.Units
		}
		b.calcTerms(alias, f, terms)
		return
	}
	before, after := "CAST((", ") AS "+f.Kind.Form().Postgres+")"
	switch f.Kind {
	case entity.Float:
		before, after = "NULLIF(NULLIF(NULLIF("+before, after+", 'NaN'), 'Infinity'), '-Infinity')"
	case entity.String:
		before, after = "("+before, after+` COLLATE "C")`
	}
	if with.Units {
		b.WriteString("(")
	}
	b.WriteString(before)
	b.calcTerms(alias, f, c.Formula.Postgres)
	b.WriteString(after)
	if with.Units {
		b.WriteString(" * ")
		b.calcTerms(alias, f, c.Formula.Scale)
		b.WriteString(")")
	}
}

func (b *builder) calcTerms(alias string, f *entity.Field, terms []expose.CalcTerm) {
	for _, t := range terms {
		switch {
		case t.Column != "":
			b.column(alias, t.Column)
		case t.Argument == expose.CalcNow && b.now.IsZero(): // of a digest, which is the same at any time
			b.WriteString(":now")
		case t.Argument == expose.CalcNow:
			b.typed(entity.Time, b.now)
		case t.Argument != "":
			i := slices.IndexFunc(f.Computed.Calc.Arguments, func(a *entity.Argument) bool { return a.Name == t.Argument })
			b.typed(f.Computed.Calc.Arguments[i].Kind, f.Computed.Arguments[i])
		default:
			b.WriteString(t.SQL)
		}
	}
}

// typed writes an argument of an expression, whose type PostgreSQL could not
// tell in every place.
func (b *builder) typed(kind entity.Kind, value any) {
	if !b.postgres {
		b.Arg(value)
		return
	}
	b.WriteString("CAST(")
	b.Arg(value)
	b.WriteString(" AS " + kind.Form().Postgres + ")")
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
func byNow(terms []entity.Term) bool {
	return slices.ContainsFunc(terms, func(t entity.Term) bool { return t.Field.Computed != nil && t.Field.Computed.Calc.Formula.Now })
}

// term adds a term of an order to the digest, under the name.
func (d digest) term(t entity.Term, name string) digest {
	d = d.text(name)
	if t.Field.Computed != nil {
		for _, argument := range t.Field.Computed.Arguments {
			d = d.text(fmt.Sprint(argument))
		}
	}
	if t.Desc {
		d = d.text("-")
	}
	return d
}

// moment is now, as the databases keep times.
func moment() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }
