package advise

import (
	"fmt"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/store"
)

// table is one that the database has.
type table struct {
	name    string
	rows    int64
	columns map[string]bool
	// led are the columns that an index of all rows, or of all that are not
	// deleted, begins with.
	led map[string]bool
}

// index is one that could be made.
type index struct {
	table   *table
	column  string // that it begins with
	columns []string
	where   string
}

// indexName is the name of a tried index.
const indexName = "entwine_advised"

// create is the statement that makes it.
func (i index) create(name string) string {
	quoted := make([]string, len(i.columns))
	for n, c := range i.columns {
		quoted[n] = `"` + c + `"`
	}
	text := fmt.Sprintf(`CREATE INDEX %s ON "%s" (%s)`, name, i.table.name, strings.Join(quoted, ", "))
	if i.where != "" {
		text += " WHERE " + i.where
	}
	return text
}

// candidate is an index that may serve some statements.
type candidate struct {
	index      index
	entity     *model.Entity // nil where no API exposes the table
	field      *model.Field  // nil where it is no field of the entity
	statements []store.Figure
}

// candidates are the indexes that statements compare or order by the first
// column of, and that are not there.
func candidates(tables map[string]*table, statements []store.Figure, o Options) (all []*candidate) {
	known := map[[2]string]*candidate{}
	for _, s := range statements {
		for _, use := range uses(s.Text) {
			t := tables[use.table]
			if t == nil || t.rows < o.Rows || !t.columns[use.column] || t.led[use.column] || use.column == "deleted_at" {
				continue
			}
			key := [2]string{use.table, use.column}
			c := known[key]
			if c == nil {
				c = candidateOf(t, use.column, o.Entities)
				known[key] = c
				all = append(all, c)
			}
			if !slices.ContainsFunc(c.statements, func(other store.Figure) bool { return other.Text == s.Text }) {
				c.statements = append(c.statements, s)
			}
		}
	}
	return all
}

func candidateOf(t *table, column string, entities []*model.Entity) *candidate {
	c := &candidate{index: index{table: t, column: column, columns: []string{column}}}
	for _, e := range entities {
		if e.Type.Table() != t.name {
			continue
		}
		c.entity = e
		for _, f := range e.Fields {
			if f.Type.StorageKey() == column || f.Units() != "" && f.UnitColumn() == column {
				c.field = f
			}
		}
	}
	if c.selective() {
		c.index.order(c.entity)
	}
	return c
}

// selective reports whether it is a field that listings filter or sort by.
func (c *candidate) selective() bool {
	return c.field != nil && (c.field.FilterBy() || c.field.SortBy())
}

// order adds what the generator adds to an index of [expose.Selective]: the
// default order of the entity, of the rows that are not deleted.
func (i *index) order(e *model.Entity) {
	add := func(column string) {
		if !slices.Contains(i.columns, column) {
			i.columns = append(i.columns, column)
		}
	}
	for _, t := range e.Order() {
		if t.Field.Units() != "" {
			add(t.Field.UnitColumn())
		} else {
			add(t.Field.Type.StorageKey())
		}
	}
	add("id")
	if i.table.columns["deleted_at"] {
		add("deleted_at")
		i.where = `"deleted_at" IS NULL`
	}
}

// proposal describes the index before it is tried.
func (c *candidate) proposal() Proposal {
	p := Proposal{Table: c.index.table.name, Column: c.index.column, Rows: c.index.table.rows}
	of := p.Table
	if c.entity != nil {
		p.Entity, of = c.entity.Name, strings.ToLower(c.entity.Name)
	}
	p.Index = c.index.create(of + "_by_" + p.Column)
	switch {
	case c.selective():
		p.Field, p.Declare = c.field.Name, "expose.Selective()"
		if c.field.Tallied() {
			p.note("the database changes it with other rows, and with an index of it each change writes all indexes of the row on PostgreSQL")
		}
	default:
		p.Declare = fmt.Sprintf("index.Fields(%q)", p.Column)
		if c.field != nil {
			p.Field = c.field.Name
		}
	}
	return p
}
