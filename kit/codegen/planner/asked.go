package planner

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	atlas "ariga.io/atlas/sql/migrate"
	"github.com/lib/pq"

	"github.com/entwine-go/entwine/kit/migration"
)

// expression gives the column of a Backfill its values, with the condition of rows
// that get one. It is empty for other fills.
func (f Fill) expression(dialectName string) (text, where string) {
	if !f.Required || len(f.Statements[dialectName]) == 0 {
		return "", ""
	}
	_, set, where, err := update(f.Statements[dialectName][0])
	if err != nil {
		return "", ""
	}
	return strings.TrimPrefix(set, pq.QuoteIdentifier(f.Columns[0])+" = "), where
}

// reads are the columns of the table, as it was before the migration, that the
// expression names.
func (b *states) reads(table, expression string) (columns []string) {
	t, ok := b.current.tables.Table(table)
	if !ok {
		return nil
	}
	for _, c := range t.Columns {
		if mentions(expression, c.Name) {
			columns = append(columns, c.Name)
		}
	}
	return columns
}

// asked is the step that names the rows of which the fill's value can't be computed by the
// expression, none where that follows from no column. added is set where the table has the
// column by then.
func (b *states) asked(f Fill, text string, added bool) []*atlas.Change {
	_, where := f.expression(b.current.dialect)
	if text == "" || len(b.reads(f.Table, text)) == 0 {
		return nil
	}
	if !added {
		where = ""
	}
	return []*atlas.Change{{Cmd: migration.Ask(f.Table, f.Columns[0], text, where), Comment: "ask first: " + f.Table + ": whether each row has what " + f.Columns[0] + " follows from"}}
}

// traced is the fill's expression with, in the place of columns that other fills make, what
// these are computed by: so rows can be asked before the columns are there.
func (b *states) traced(p *plan, f Fill) string {
	text, _ := f.expression(b.current.dialect)
	was, had := p.before.Table(f.Table)
	made, has := b.desired.tables.Table(f.Table)
	if !had || !has || !b.current.database.live() {
		return text
	}
	for range p.filled { // as often as one may follow from another
		for _, o := range p.filled {
			by, _ := o.expression(b.current.dialect)
			if o.Table != f.Table || by == "" || o.Columns[0] == f.Columns[0] {
				continue
			}
			column, declared := made.Column(o.Columns[0])
			if _, there := was.Column(o.Columns[0]); declared && !there && column.Type.Raw != "" {
				text = inPlace(text, o.Columns[0], fmt.Sprintf("CAST((%s) AS %s)", by, column.Type.Raw))
			}
		}
	}
	return text
}

var literals = regexp.MustCompile(`'(?:[^']|'')*'`)

// inPlace puts an expression in the place of a column, but for texts in quotes.
func inPlace(text, column, expression string) string {
	named := regexp.MustCompile(`"` + regexp.QuoteMeta(column) + `"|\b` + regexp.QuoteMeta(column) + `\b`)
	var all strings.Builder
	from := 0
	for _, at := range append(literals.FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		all.WriteString(named.ReplaceAllLiteralString(text[from:at[0]], expression))
		all.WriteString(text[at[0]:at[1]])
		from = at[1]
	}
	return all.String()
}

// backfillable are the questions to the rows about the plan's fills: those that can
// be asked before anything changes, triggers above all, which would refuse such rows
// to programs that write them, and those about columns that are new.
func (b *states) backfillable(p *plan) (front, late []*atlas.Change) {
	for _, f := range p.filled {
		text := b.traced(p, f)
		was, had := p.before.Table(f.Table)
		if !had {
			continue
		}
		there := func(column string) bool { _, ok := was.Column(column); return ok }
		filled := func(column string) bool {
			return slices.ContainsFunc(p.filled, func(o Fill) bool { return o.Table == f.Table && slices.Contains(o.Columns, column) })
		}
		if slices.ContainsFunc(b.reads(f.Table, text), func(c string) bool { return !there(c) || filled(c) }) {
			late = append(late, b.asked(f, text, true)...)
		} else {
			front = append(front, b.asked(f, text, there(f.Columns[0]))...)
		}
	}
	return front, late
}
