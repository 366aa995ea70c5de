package model

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/store"
)

var (
	// calcQuotes are quoted texts and names, calcRows words that read other rows,
	// calcClocks what has another value in the next statement.
	calcQuotes = regexp.MustCompile(`'[^']*'|"[^"]*"`)
	calcTexts  = regexp.MustCompile(`'[^']*'`)
	calcRows   = regexp.MustCompile(`(?i)\b(select|values|table|over)\b`)
	// calcNames are quoted names, which SQLite takes for texts where it knows no such
	// column, but for those of collations.
	calcNames  = regexp.MustCompile(`(?i)(collate\s+)?"[^"]*"`)
	calcClocks = regexp.MustCompile(`(?i)'now'|\b(random|randomblob|gen_random_uuid|now|current_date|current_time|current_timestamp|localtime|localtimestamp|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday)\b`)

	// CalcComparisons are the members of a filter by a computed value in GraphQL.
	CalcComparisons = []string{"eq", "neq", "in", "notIn", "gt", "gte", "lt", "lte", "contains", "hasPrefix", "hasSuffix", "isNil"}
	calcArguments   = []string{"ID", "Int", "Float", "String", "Enum", "Bool", "Time", "UUID"}
	// calcTaken are names that GraphQL's filters and orders have for something else.
	calcTaken = []string{"and", "or", "not", "field", "direction"}
)

// calcs checks the values that are computed with arguments.
func (c checker) calcs() {
	for i, calc := range c.Entity.Calcs {
		says := fmt.Sprintf("calc %q: ", calc.Name)
		own := calc.expressions()
		switch {
		case !checkForm.MatchString(calc.Name) || slices.Contains(calcTaken, calc.GraphQL):
			c.wrong("", "%sa name of lower-case letters, digits and _ is allowed, but for %s", says, strings.Join(calcTaken, ", "))
		case slices.ContainsFunc(c.Entity.Calcs[:i], func(o *Calc) bool { return o.Name == calc.Name || o.GraphQL == calc.GraphQL }),
			c.calls(calc.Name), c.queries(calc.GraphQL), c.filters(calc):
			c.wrong("", "%ssomething of the entity is called so", says)
		case calc.Kind == "":
			c.wrong("", "%sshape %q: text, count, decimal, flag and amount are allowed", says, calc.Shape)
		case calc.Comment == "" || calc.Example == nil:
			c.wrong("", "%sit needs a Comment and an Example", says)
		case calc.SQL == "" && own < len(store.Dialects), calc.SQL != "" && own > 0:
			c.wrong("", "%sSQL is needed, or Postgres and SQLite in its place", says)
		}
		if currency := c.Field(calc.Currency); calc.Shape == expose.Amount && (currency == nil || currency.Kind != "String") {
			c.wrong("", "%scurrency %q: the name of a text field is allowed", says, calc.Currency)
		}
		c.calcArguments(says, calc)
		for i, d := range store.Dialects {
			if calc.SQL == "" || i == 0 {
				c.expression(says, calc, d.Expression(calc.Calc))
			}
		}
	}
}

// calcArguments checks the arguments of a computed value.
func (c checker) calcArguments(says string, calc *Calc) {
	c.inputs(says, calc.Arguments, nil)
	for _, a := range calc.Arguments {
		if !slices.Contains(calcArguments, a.Kind) || a.Refers != "" || a.Secret {
			c.wrong("", "%sinput %q: numbers, texts, enums, flags, times and UUIDs are allowed", says, a.Name)
		}
		if a.Old != nil || len(a.OldValues) > 0 || a.Ending != nil {
			c.wrong("", "%sinput %q: Was, ValueWas and Deprecated are of inputs of actions: a value with other arguments has another name", says, a.Name)
		}
		if a.Name == expose.CalcNow || !checkForm.MatchString(a.Name) || slices.Contains(CalcComparisons, a.GraphQL[0]) {
			c.wrong("", "%sinput %q: a name of lower-case letters, digits and _ is allowed, but for now, %s", says, a.Name, strings.Join(CalcComparisons, ", "))
		}
	}
}

// filters reports whether GraphQL's filters, or REST's parameters, have something
// else by the name.
func (c checker) filters(calc *Calc) bool {
	for _, f := range c.Fields {
		if f.Kind == "Ref" && strings.TrimSuffix(f.REST, "_id") == calc.Name || f.Lowest != "" && (f.Lowest == calc.Name || f.Highest == calc.Name) {
			return true
		}
		if slices.ContainsFunc(f.Type.Ops(), func(op gen.Op) bool { return f.GraphQL[0]+op.Name() == calc.GraphQL }) {
			return true
		}
	}
	return slices.ContainsFunc(c.Edges, func(g *Edge) bool {
		has := "has" + naming.Pascal(g.Name)
		return calc.GraphQL == has || calc.GraphQL == has+"With" || calc.GraphQL == naming.Camel(g.Name)+"Connection"
	})
}

// expression checks what the expression reads.
func (c checker) expression(says string, calc *Calc, text string) {
	terms, err := expose.CalcTerms(text)
	if text == "" || err != nil {
		if err != nil {
			c.wrong("", "%s%v: %q", says, err, text)
		}
		return
	}
	used, columns := map[string]bool{expose.CalcNow: true}, 0
	for _, t := range terms {
		switch {
		case t.Column != "":
			columns++
			c.reads(says, t.Column, text)
		case t.Argument != "":
			used[t.Argument] = true
			if t.Argument != expose.CalcNow && !slices.ContainsFunc(calc.Arguments, func(a *Field) bool { return a.Name == t.Argument }) {
				c.wrong("", "%s:%s is none of its Input: %q", says, t.Argument, text)
			}
		}
		bare := calcQuotes.ReplaceAllString(t.SQL, "''")
		if word := calcRows.FindString(bare); word != "" {
			c.wrong("", "%s%s: it is computed of columns of the row and of arguments alone, and of other rows by CountOf, SumOf or Derived: %q", says, word, text)
		}
		for _, name := range calcNames.FindAllString(calcTexts.ReplaceAllString(t.SQL, "''"), -1) {
			if strings.HasPrefix(name, `"`) {
				c.wrong("", "%s%s: a column is named behind {row}: %q", says, name, text)
			}
		}
		if word := calcClocks.FindString(t.SQL); word != "" {
			c.wrong("", "%s%s: pages by cursor need a value that stays: :now is the time that is allowed: %q", says, word, text)
		}
	}
	if columns == 0 {
		c.wrong("", "%sit reads no column of the row, such as {row}.\"created_at\": %q", says, text)
	}
	for _, a := range calc.Arguments {
		if !used[a.Name] {
			c.wrong("", "%sinput %q: the expression has no :%s: %q", says, a.Name, a.Name, text)
		}
	}
}

// reads checks a column that an expression reads.
func (c checker) reads(says, column, text string) {
	i := slices.IndexFunc(c.Fields, func(f *Field) bool { return f.Type.StorageKey() == column })
	switch {
	case i < 0:
		c.wrong("", "%s{row}.%q: computed values are shown to callers, so only columns of fields that are shown are allowed: %q", says, column, text)
	case c.Fields[i].Secret:
		c.wrong("", "%s{row}.%q: the field is secret: %q", says, column, text)
	}
}
