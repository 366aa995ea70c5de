package dryrun

import (
	"fmt"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/store"
)

// calculated asks for the value of a row that has the columns alone which the
// expression was found to read: one that it names without {row} is refused. It is
// asked in a condition, where no other rows can be counted.
func calculated(c *model.Calc, d store.Dialect) line {
	text := d.Expression(c.Calc)
	var b strings.Builder
	columns := []string{`"id" AS "id"`}
	for _, t := range c.Terms(d) {
		switch {
		case t.Column != "":
			fmt.Fprintf(&b, `"row".%q`, t.Column)
			if column := fmt.Sprintf("%q", t.Column); t.Column != "id" && !slices.Contains(columns, column) {
				columns = append(columns, column)
			}
		case t.Argument != "":
			b.WriteString(argument(c, t.Argument, d))
		default:
			b.WriteString(t.SQL)
		}
	}
	value := d.Cast("("+b.String()+")", entity.Named(c.Kind).Postgres)
	return line{
		entity: c.Entity.Name, says: fmt.Sprintf("calc %q: %q", c.Name, text), only: d.Name(),
		query: fmt.Sprintf(`SELECT 1 FROM (SELECT %s FROM %q) AS "row" WHERE (%s) IS NOT NULL`, strings.Join(columns, ", "), c.Entity.Type.Table(), value),
	}
}

// argument is an argument without a value.
func argument(c *model.Calc, name string, d store.Dialect) string {
	kind := "Time" // of :now
	if i := slices.IndexFunc(c.Arguments, func(a *model.Field) bool { return a.Name == name }); i >= 0 {
		kind = c.Arguments[i].Kind
	}
	return d.Cast("NULL", entity.Named(kind).Postgres)
}
