package planner

import (
	"fmt"
	"slices"
	"strings"

	atlas "ariga.io/atlas/sql/migrate"
	"ariga.io/atlas/sql/postgres"
	atschema "ariga.io/atlas/sql/schema"
	"ariga.io/atlas/sql/sqlite"
	"github.com/lib/pq"

	"github.com/entwine-go/entwine/kit/migration"
)

// Fill writes the columns of existing rows with the values that the present service,
// or its triggers, would have written.
type Fill struct {
	Table string
	// Columns are those that it writes. It is needed where one of them is new.
	Columns []string
	// From are columns of the table that it reads: it is needed where one of
	// them is filled.
	From []string
	// Of is another table that it reads: it is needed where a column of that
	// which the statements name is filled.
	Of string
	// Objects are the names of the objects that keep the columns: it is needed
	// where one of them changes.
	Objects []string
	// Required is set where it gives a value to rows without one: it is needed
	// where a column comes to be NOT NULL.
	Required bool
	// Check is the name of the check of the column's values: it is needed where
	// that changes, and written while the check is not there.
	Check string
	// Inverse are the expressions, by the column, that give columns of before their
	// value from those that are filled.
	Inverse map[string]string
	// Link is set where it makes the rows of a table between.
	Link *Link
	// Statements are its SQL, by the database's name.
	Statements map[string][]string
}

// fills are those of the schema that the change needs, in the order in which they
// follow from each other.
func (b *states) fills(all []Fill) (needed []Fill) {
	all = inOrder(all)
	filled := map[string]bool{}
	changed := b.changed()
	for _, f := range all {
		if f.Link != nil {
			if f.Link.needed(b, f.Table) {
				needed = append(needed, f)
			}
			continue
		}
		t, ok := b.current.tables.Table(f.Table)
		if !ok || !b.desired.has(f.Table, "") || len(f.Statements[b.current.dialect]) == 0 {
			continue
		}
		need := slices.ContainsFunc(f.Objects, func(name string) bool { return changed[name] }) ||
			slices.ContainsFunc(f.From, func(c string) bool { return filled[f.Table+"."+c] }) ||
			f.Check != "" && b.checks(f.Table, f.Check) || f.reads(needed, b.current.dialect)
		for _, name := range f.Columns {
			if f.Check != "" {
				break
			}
			c, has := t.Column(name)
			need = need || !has || f.Required && c.Type.Null && b.requires(f.Table, name)
		}
		if need {
			needed = append(needed, f)
			for _, c := range f.Columns {
				filled[f.Table+"."+c] = true
			}
		}
	}
	return needed
}

// inOrder has each fill of a Backfill follow those that its expression names.
func inOrder(all []Fill) (sorted []Fill) {
	for left := slices.Clone(all); len(left) > 0; {
		i := slices.IndexFunc(left, func(f Fill) bool {
			return !slices.ContainsFunc(left, func(o Fill) bool {
				return f.Required && o.Required && o.Table == f.Table && o.Columns[0] != f.Columns[0] && f.names(o.Columns[0])
			})
		})
		i = max(i, 0)
		sorted, left = append(sorted, left[i]), slices.Delete(left, i, i+1)
	}
	return sorted
}

// reads reports whether one of the earlier fills writes what it reads of another
// table.
func (f Fill) reads(earlier []Fill, dialectName string) bool {
	text := strings.Join(f.Statements[dialectName], "\n")
	return slices.ContainsFunc(earlier, func(e Fill) bool {
		return e.Table == f.Of && slices.ContainsFunc(e.Columns, func(c string) bool { return mentions(text, c) })
	})
}

// changed are the objects that are not in the database as they are wanted.
func (b *states) changed() map[string]bool {
	changed := map[string]bool{}
	for _, o := range slices.Concat(b.desired.first, b.desired.last) {
		if b.outdated(o, obstacles{}) {
			changed[o.Name] = true
		}
	}
	return changed
}

func (b *states) requires(table, column string) bool {
	t, _ := b.desired.tables.Table(table)
	c, ok := t.Column(column)
	return ok && !c.Type.Null
}

// checks reports whether the check of a table that is there is new or other.
func (b *states) checks(table, name string) bool {
	have, _ := b.current.tables.Table(table)
	want, _ := b.desired.tables.Table(table)
	now, was := checkOf(want, name), checkOf(have, name)
	return now != nil && (was == nil || was.Expr != now.Expr)
}

func checkOf(t *atschema.Table, name string) *atschema.Check {
	for _, c := range t.Checks() {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// fill are the statements of the fills, on a database that has their columns.
func (b *states) fill(fills []Fill) (changes []*atlas.Change) {
	set := func(checks string) {
		if text := b.current.database.ignoreChecks(checks); text != "" {
			changes = append(changes, &atlas.Change{Cmd: text, Comment: "the values are about to have another check"})
		}
	}
	for _, f := range fills {
		if f.Check != "" {
			set("on")
		}
		text, _ := f.expression(b.current.dialect)
		changes = append(changes, b.asked(f, text, true)...)
		if f.Link != nil {
			changes = append(changes, f.Link.asked(b))
		}
		for _, text := range f.Statements[b.current.dialect] {
			changes = append(changes, &atlas.Change{Cmd: text,
				Comment: fmt.Sprintf("fill %s of the rows of %s that are there: it writes each, which takes long where there are many", strings.Join(f.Columns, ", "), f.Table)})
		}
		if f.Check != "" {
			set("off")
		}
	}
	return changes
}

// additions are those of the changes that only add: new tables, and columns,
// which may be null for now where fills are to give them values. Checks of
// values that are about to change are dropped where that is possible.
func (b *states) additions(changes []atschema.Change, fills []Fill) (all []atschema.Change) {
	for _, c := range changes {
		switch c := c.(type) {
		case *atschema.AddTable:
			all = append(all, c)
		case *atschema.ModifyTable:
			var added []atschema.Change
			for _, change := range c.Changes {
				switch change := change.(type) {
				case *atschema.AddColumn:
					if column := soft(c.T.Name, change.C, fills); !lacksValue(column) { // rows refuse it by name
						added = append(added, &atschema.AddColumn{C: column})
					}
				case *atschema.ModifyCheck:
					if b.current.database.ignoreChecks("on") == "" && slices.ContainsFunc(fills, func(f Fill) bool { return f.Check == change.From.Name }) {
						added = append(added, &atschema.DropCheck{C: change.From})
					}
				}
			}
			if len(added) > 0 {
				t, _ := b.current.tables.Table(c.T.Name)
				all = append(all, &atschema.ModifyTable{T: t, Changes: added})
			}
		}
	}
	return all
}

// asksOfNew reports whether a check or a unique index of a table that is there
// names a column that is not: its rows can be asked only once they have it.
func (b *states) asksOfNew(changes []atschema.Change) bool {
	return slices.ContainsFunc(changes, func(change atschema.Change) bool {
		m, ok := change.(*atschema.ModifyTable)
		return ok && slices.ContainsFunc(m.Changes, func(c atschema.Change) bool { return namesAdded(c, m) })
	})
}

// checked is the check that the change makes, nil for other changes.
func checked(change atschema.Change) *atschema.Check {
	switch c := change.(type) {
	case *atschema.AddCheck:
		return c.C
	case *atschema.ModifyCheck:
		return c.To
	}
	return nil
}

// namesAdded reports whether the change is a check or a unique index that
// names a column which is added with it.
func namesAdded(change atschema.Change, m *atschema.ModifyTable) bool {
	var text string
	if check := checked(change); check != nil {
		text = check.Expr
	}
	index, ok := change.(*atschema.AddIndex)
	if ok && !index.I.Unique {
		return false
	}
	if ok {
		text = predicate(index.I)
	}
	return slices.ContainsFunc(m.Changes, func(c atschema.Change) bool {
		add, isColumn := c.(*atschema.AddColumn)
		return isColumn && (mentions(text, add.C.Name) ||
			ok && slices.ContainsFunc(index.I.Parts, func(p *atschema.IndexPart) bool { return p.C != nil && p.C.Name == add.C.Name }))
	})
}

// lacksValue reports whether rows that are there have no value for the new
// column, and need one.
func lacksValue(c *atschema.Column) bool { return !c.Type.Null && c.Default == nil }

// soft is the column alone, without what rows that are there would break.
func soft(table string, c *atschema.Column, fills []Fill) *atschema.Column {
	filled := slices.ContainsFunc(fills, func(f Fill) bool {
		return f.Table == table && f.Required && slices.Contains(f.Columns, c.Name)
	})
	column := *c
	column.ForeignKeys, column.Indexes = nil, nil // they come with the other changes
	if filled {
		kind := *c.Type
		kind.Null = true
		column.Type, column.Default = &kind, nil
	}
	return &column
}

// refusals are the steps that name the rows which a change would fail at.
func (b *states) refusals(changes []atschema.Change) (all []*atlas.Change) {
	for _, change := range changes {
		m, ok := change.(*atschema.ModifyTable)
		if !ok {
			continue
		}
		have, there := b.current.tables.Table(m.T.Name)
		if !there {
			continue
		}
		add := func(says, query string) {
			all = append(all, &atlas.Change{Cmd: migration.Refuse(m.T.Name+": "+says, query), Comment: "ask first: " + m.T.Name + ": " + says})
		}
		for _, c := range m.Changes {
			if namesAdded(c, m) { // a column that rows have no value for: it is refused if there are any
				continue
			}
			b.refuse(m, have, c, add)
		}
	}
	return all
}

// refusing are the steps that name the rows which objects could not be kept of.
func (b *states) refusing() (all []*atlas.Change) {
	for _, o := range b.desired.last {
		if o.Refuses == "" || slices.ContainsFunc(strings.Fields(o.Of), func(needed string) bool { return !b.current.knows(needed) }) || !b.outdated(o, obstacles{}) {
			continue
		}
		name, _, _ := strings.Cut(o.Of, ".")
		table, _ := b.current.tables.Table(name)
		says := name + ": " + o.Says
		all = append(all, &atlas.Change{Cmd: migration.Refuse(says, b.name(table, o.Refuses)), Comment: "ask first: " + says})
	}
	return all
}

// refuse adds the step for one change of the table m, which is as have before.
func (b *states) refuse(m *atschema.ModifyTable, have *atschema.Table, c atschema.Change, add func(says, query string)) {
	switch c := c.(type) {
	case *atschema.AddIndex:
		if columns, ok := indexed(have, c.I); ok && c.I.Unique {
			add(fmt.Sprintf("no two rows may have the same %s: change or remove all but one of these", said(columns)), b.duplicates(have, columns, predicate(c.I)))
		}
	case *atschema.AddColumn:
		if lacksValue(c.C) {
			add(c.C.Name+" is required and these rows would have none", b.name(have, "1 = 1"))
		}
	case *atschema.ModifyColumn:
		if c.From.Type.Null && !c.To.Type.Null {
			add(c.To.Name+" is required and these rows have none", b.name(have, pq.QuoteIdentifier(c.To.Name)+" IS NULL"))
		}
	case *atschema.AddCheck, *atschema.ModifyCheck:
		check := checked(c)
		add(fails(m.T.Name, check), b.name(have, "NOT ("+check.Expr+")"))
	case *atschema.AddForeignKey:
		if column := c.F.Columns[0].Name; b.current.has(m.T.Name, column) {
			add(column+" of these rows names a row that is not there", b.name(have, dangling(m.T.Name, c.F)))
		}
	}
}

// dangling is true of rows whose foreign key names a row that is not there.
func dangling(table string, key *atschema.ForeignKey) string {
	return fmt.Sprintf(`%[1]s IS NOT NULL AND NOT EXISTS (SELECT 1 FROM %[2]s AS "other" WHERE "other".%[3]s = %[4]s.%[1]s)`,
		pq.QuoteIdentifier(key.Columns[0].Name), pq.QuoteIdentifier(key.RefTable.Name), pq.QuoteIdentifier(key.RefColumns[0].Name), pq.QuoteIdentifier(table))
}

// fails says of what rows break the check.
func fails(table string, c *atschema.Check) string {
	if column, ok := strings.CutSuffix(strings.TrimPrefix(c.Name, table+"_"), "_values"); ok {
		return column + " of these rows is none of its values; expose.ValueWas says which one it becomes, or change the rows first"
	}
	return "the check " + c.Name + " does not hold of these rows; change them first"
}

// said are the columns as a schema calls them: what is folded is the text,
// whatever its case.
func said(columns []string) string {
	text := strings.Join(columns, ", ")
	if without := strings.TrimSuffix(text, derived); without != text && len(columns) == 1 {
		return without + ", whatever the case"
	}
	return text
}

// indexed are the columns of the index, if the table has them all.
func indexed(t *atschema.Table, i *atschema.Index) (columns []string, ok bool) {
	for _, p := range i.Parts {
		if p.C == nil {
			return nil, false
		}
		if _, has := t.Column(p.C.Name); !has {
			return nil, false
		}
		columns = append(columns, p.C.Name)
	}
	return columns, true
}

// predicate is the condition of a partial index, empty for none.
func predicate(i *atschema.Index) string {
	for _, a := range i.Attrs {
		switch a := a.(type) {
		case *postgres.IndexPredicate:
			return a.P
		case *sqlite.IndexPredicate:
			return a.P
		}
	}
	return ""
}

// name is a query for the first rows of the table of which the condition holds.
func (b *states) name(t *atschema.Table, condition string) string {
	var row, order []string
	for _, p := range t.PrimaryKey.Parts { // every table of Ent's has one
		column := pq.QuoteIdentifier(t.Name) + "." + pq.QuoteIdentifier(p.C.Name)
		row, order = append(row, "CAST("+column+" AS text)"), append(order, column)
	}
	return fmt.Sprintf("SELECT %s FROM %s WHERE %s ORDER BY %s LIMIT 6",
		strings.Join(row, " || '/' || "), pq.QuoteIdentifier(t.Name), condition, strings.Join(order, ", "))
}

// duplicates is a query for the rows that have the same values in the columns.
func (b *states) duplicates(t *atschema.Table, columns []string, condition string) string {
	ids := b.current.database.listOfIDs()
	if _, ok := t.Column("id"); !ok {
		ids = "count(*)"
	}
	var quoted, values, known []string
	for _, c := range columns {
		c = pq.QuoteIdentifier(c)
		quoted = append(quoted, c)
		values = append(values, "CAST("+c+" AS text)")
		known = append(known, c+" IS NOT NULL")
	}
	if condition != "" {
		known = append(known, "("+condition+")")
	}
	return fmt.Sprintf("SELECT %s || ' (' || %s || ')' FROM %s WHERE %s GROUP BY %s HAVING count(*) > 1 ORDER BY 1 LIMIT 6",
		ids, strings.Join(values, " || ' ' || "), pq.QuoteIdentifier(t.Name), strings.Join(known, " AND "), strings.Join(quoted, ", "))
}
