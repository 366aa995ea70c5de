package planner

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	atlas "ariga.io/atlas/sql/migrate"
	atschema "ariga.io/atlas/sql/schema"

	"github.com/entwine-go/entwine/kit/migration"
)

// pass is a way through a table that fills columns, in one write of each row. A
// statement of a fill that is no UPDATE is carried out unchanged.
type pass struct {
	table   string
	columns []string
	filled  []filling
	call    string
}

// filling is an UPDATE of a fill, with its assignments and the condition on rows.
type filling struct {
	columns    []string
	set, where string
}

// batches are the statements of the fills as backfills: those of one table in as few
// ways through it as there can be.
func (b *states) batches(fills []Fill) (all []*atlas.Change, err error) {
	var passes []*pass
	for _, f := range fills {
		for _, text := range f.Statements[b.current.dialect] {
			if strings.HasPrefix(text, "CALL ") {
				passes = append(passes, &pass{table: f.Table, columns: f.Columns, call: text})
				continue
			}
			table, set, where, err := update(text)
			if err != nil {
				return nil, err
			}
			add := filling{columns: f.Columns, set: set, where: where}
			if p := joins(passes, table, add); p != nil {
				p.filled, p.columns = append(p.filled, add), append(p.columns, add.columns...)
				continue
			}
			passes = append(passes, &pass{table: table, columns: slices.Clone(f.Columns), filled: []filling{add}})
		}
	}
	for _, p := range passes {
		text := p.call
		if text == "" {
			text = b.backfill(p)
		}
		all = append(all, &atlas.Change{Cmd: text, Comment: "fill " + strings.Join(p.columns, ", ") + " of the rows of " + p.table + " that are there, in batches"})
	}
	return all, nil
}

// joins returns the pass in which the rows can be filled, too: the last one of their
// table, where neither it nor any after it writes what the filling reads, and none after
// it reads what it writes.
func joins(passes []*pass, table string, add filling) *pass {
	for _, p := range slices.Backward(passes) {
		if slices.ContainsFunc(p.columns, func(c string) bool { return mentions(add.set+add.where, c) }) {
			return nil
		}
		if p.table == table && p.call == "" {
			if !add.single() || !p.filled[0].single() {
				return nil
			}
			return p
		}
		if slices.ContainsFunc(add.columns, p.reads) {
			return nil
		}
	}
	return nil
}

// reads reports whether the pass names the column.
func (p *pass) reads(column string) bool {
	return mentions(p.call, column) || slices.ContainsFunc(p.filled, func(f filling) bool { return mentions(f.set+f.where, column) })
}

// single reports whether one column is set, so that it can have a condition of its own.
func (f filling) single() bool {
	return len(f.columns) == 1 && strings.HasPrefix(f.set, fmt.Sprintf("%q = ", f.columns[0]))
}

// backfill is the statement of the pass. Each column of several keeps its value in the
// rows of which its own condition does not hold.
func (b *states) backfill(p *pass) string {
	first := p.filled[0]
	if len(p.filled) == 1 {
		return migration.Backfill(p.table, first.set, first.where)
	}
	t, _ := b.desired.tables.Table(p.table)
	var set, wheres []string
	every := false
	for _, f := range p.filled {
		every = every || f.where == ""
		if !slices.Contains(wheres, "("+f.where+")") {
			wheres = append(wheres, "("+f.where+")")
		}
	}
	for _, f := range p.filled {
		if len(wheres) == 1 || f.where == "" {
			set = append(set, f.set)
			continue
		}
		name := f.columns[0]
		value := strings.TrimPrefix(f.set, fmt.Sprintf("%q = ", name))
		set = append(set, fmt.Sprintf("%q = CASE WHEN %s THEN CAST(%s AS %s) ELSE %[1]q END", name, f.where, value, kindOf(t, name)))
	}
	where := strings.Join(wheres, " OR ")
	if len(wheres) == 1 {
		where = first.where
	}
	if every {
		where = ""
	}
	return migration.Backfill(p.table, strings.Join(set, ", "), where)
}

var size = regexp.MustCompile(`\(.*\)`)

// kindOf is the column's type without its size, which the assignment asks for: a cast
// to a size would cut what is longer.
func kindOf(t *atschema.Table, column string) string {
	c, _ := t.Column(column)
	return size.ReplaceAllString(c.Type.Raw, "")
}
