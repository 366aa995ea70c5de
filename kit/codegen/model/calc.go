package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/money"
	"github.com/entwine-go/entwine/kit/store"
)

// Calc is a value that the database computes with arguments.
type Calc struct {
	expose.Calc
	Entity *Entity
	// Kind is the name of a read.Kind, GraphQL the name there.
	Kind, GraphQL string
	// Arguments are those of callers.
	Arguments []*Field
	// Columns are the columns of the row that the expressions read.
	Columns []string
}

// calcKinds are the kinds of values by their shapes.
var calcKinds = map[expose.Shape]string{
	expose.Text: "String", expose.Count: "Int", expose.Decimal: "Float", expose.Flag: "Bool", expose.Amount: "Money",
}

// addCalcs gives the entity the values that its schema says are computed.
func (e *Entity) addCalcs() (errs []error) {
	for _, declared := range e.Resource.Calcs {
		c := &Calc{Calc: declared, Entity: e, Kind: calcKinds[declared.Shape], GraphQL: declared.GraphQL}
		if c.GraphQL == "" {
			c.GraphQL = naming.GraphQL(declared.Name)
		}
		var err error
		if c.Arguments, err = e.inputs(e.Name+naming.Pascal(declared.Name), declared.Input); err != nil {
			errs = append(errs, ProblemAt(e.Type, "", fmt.Errorf("calc %q: %w", declared.Name, err)))
		}
		for _, d := range store.Dialects {
			for _, t := range c.Terms(d) {
				if t.Column != "" && !slices.Contains(c.Columns, t.Column) {
					c.Columns = append(c.Columns, t.Column)
				}
			}
		}
		slices.Sort(c.Columns)
		e.Calcs = append(e.Calcs, c)
	}
	return errs
}

// Meaning are its expressions: one, or those of the databases.
func (c *Calc) Meaning() string {
	var all []string
	for _, d := range store.Dialects {
		if text := d.Expression(c.Calc); !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return strings.Join(all, " / ")
}

// expressions is how many databases have one of their own in place of SQL.
func (c *Calc) expressions() (n int) {
	own := c.Calc
	own.SQL = ""
	for _, d := range store.Dialects {
		if d.Expression(own) != "" {
			n++
		}
	}
	return n
}

// Terms are the parts of its expression on the database, none where the check
// finds a mistake.
func (c *Calc) Terms(d store.Dialect) []expose.CalcTerm {
	terms, err := expose.CalcTerms(d.Expression(c.Calc))
	if err != nil {
		return nil
	}
	return terms
}

// Reads are the fields that the value is computed of, and the currency of an
// amount: callers who may not see one of them do not see the value.
func (c *Calc) Reads() (fields []*Field) {
	for _, f := range c.Entity.Fields {
		if slices.Contains(c.Columns, f.Type.StorageKey()) || c.Shape == expose.Amount && f.Name == c.Currency {
			fields = append(fields, f)
		}
	}
	return fields
}

// Scale is the SQL of what a minor unit of an amount is of the smallest unit that
// any currency has, empty for other values: see [Field.Units].
func (c *Calc) Scale() string {
	currency := c.Entity.Field(c.Currency)
	if c.Shape != expose.Amount || currency == nil {
		return ""
	}
	column := fmt.Sprintf("%q", currency.Type.StorageKey())
	_, scale, _ := strings.Cut(money.Units("", currency.Type.StorageKey()), " * ")
	return strings.Replace(scale, column, "{row}."+column, 1)
}

// Type is the type that its arguments are of in GraphQL.
func (c *Calc) Type() string { return c.Entity.Name + naming.Pascal(c.Name) }

// Argument is the argument with the name in REST v1, nil where there is none.
func (c *Calc) Argument(name string) *Field {
	for _, a := range c.Arguments {
		if a.REST == name {
			return a
		}
	}
	return nil
}

// Parameter is the query parameter of an argument in REST v1.
func (c *Calc) Parameter(argument *Field) string { return c.Name + "." + argument.REST }
