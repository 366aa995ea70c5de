// Package dryrun has databases read the SQL that schemas say, before anything is generated of it:
// conditions of checks, partial indexes, counts, stamps and events, the expressions of derived
// fields and of computed values, and the triggers that are made of them. The tables are there
// without rows; an expression that the databases refuse is a mistake in the schema. SQLite's
// database is in memory; PostgreSQL's is on a server that the caller names.
package dryrun

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/triggers"
	"github.com/entwine-go/entwine/kit/store"
)

// Play has an empty database read the SQL of the schemas and returns what it
// refuses, as findings, but for those that are known already. The error says that the database itself did not work.
func Play(ctx context.Context, db *sql.DB, d store.Dialect, m *model.Model, known []error) (found []error, err error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	p := &play{conn: conn, dialect: d, known: known}
	if p.types(ctx, m); len(p.found) > 0 {
		return p.found, nil // there are no tables to read the rest by
	}
	for _, text := range tables(m, d) {
		if _, err := conn.ExecContext(ctx, text); err != nil {
			return nil, fmt.Errorf("%s: %w", text, err)
		}
	}
	for _, l := range lines(m) {
		if l.only == "" || l.only == d.Name() {
			p.speak(ctx, l)
		}
	}
	if len(p.found) == 0 && len(known) == 0 {
		p.act(ctx, m)
	}
	return p.found, nil
}

// play is one rehearsal.
type play struct {
	conn    *sql.Conn
	dialect store.Dialect
	known   []error
	found   []error
}

// wrong adds a finding, unless one about the same words is known.
func (p *play) wrong(entity, member, says string, err error) {
	for _, known := range p.known {
		f, ok := errors.AsType[*model.SchemaError](known)
		if ok && f.Entity == entity && f.Member == member && strings.Contains(f.Error(), quotation.FindString(says)) {
			return
		}
	}
	p.found = append(p.found, &model.SchemaError{Entity: entity, Member: member, Err: fmt.Errorf("%s: %s says: %w", says, p.dialect.Title(), err)})
}

// quotation is the SQL at the end of what a finding says.
var quotation = regexp.MustCompile(`"(?:[^"\\]|\\.)*"$`)

// line is some SQL of a schema.
type line struct {
	entity, member string
	// says names it for messages.
	says string
	// query has it in a statement that reads.
	query string
	// when is the condition as it stands in a trigger, empty elsewhere.
	when string
	// only is the database that it is said to, empty for both.
	only string
}

// types has the database read the types of columns that schemas say in its words. One that
// a migration would have to make first is of no use: tables come before what is made by hand.
func (p *play) types(ctx context.Context, m *model.Model) {
	for _, t := range m.Graph.Nodes {
		for _, f := range t.Fields {
			says := f.Column().SchemaType[p.dialect.Name()]
			if says == "" {
				continue
			}
			p.speak(ctx, line{
				entity: t.Name, member: f.Name, query: "SELECT CAST(NULL AS " + valueType(says) + ")",
				says: fmt.Sprintf("SchemaType: a type that the database has by itself, or no SchemaType, is allowed, not %q", says),
			})
		}
	}
}

// valueType is the type of the values of a column: of the serial types, which only a
// definition of a column may name, it is that of their integers.
func valueType(column string) string {
	switch strings.ToLower(strings.TrimSpace(column)) {
	case "smallserial", "serial2":
		return "smallint"
	case "serial", "serial4":
		return "integer"
	case "bigserial", "serial8":
		return "bigint"
	}
	return column
}

// speak has the database prepare the line.
func (p *play) speak(ctx context.Context, l line) {
	if _, err := p.conn.ExecContext(ctx, "EXPLAIN "+l.query); err != nil {
		p.wrong(l.entity, l.member, l.says, err)
	}
}

// act makes what the schemas have the databases do, and has one that reads the
// body of a trigger with the statement that fires it plan one of each kind on each
// table.
func (p *play) act(ctx context.Context, m *model.Model) {
	all, err := triggers.Objects(m)
	if err != nil {
		p.found = append(p.found, err)
		return
	}
	for _, o := range all[p.dialect.Name()] {
		if _, err := p.conn.ExecContext(ctx, o.Create); err != nil {
			p.refused(m, o, err)
		}
	}
	if !p.dialect.ReadsTriggersLate() {
		return
	}
	for _, t := range m.Graph.Nodes {
		if t.ID == nil {
			continue
		}
		for _, text := range []string{
			fmt.Sprintf("EXPLAIN INSERT INTO %q DEFAULT VALUES", model.StoredIn(t)),
			fmt.Sprintf("EXPLAIN UPDATE %q SET %s", model.StoredIn(t), everyColumn(t)),
			fmt.Sprintf("EXPLAIN DELETE FROM %q", model.StoredIn(t)),
		} {
			if _, err := p.conn.ExecContext(ctx, text); err != nil {
				p.wrong(t.Name, "", "the triggers of "+t.Table(), err)
			}
		}
	}
}

// refused reports a trigger that the database does not accept, in the words of
// the schema that it was made of.
func (p *play) refused(m *model.Model, o triggers.Object, err error) {
	for _, l := range lines(m) {
		if l.when != "" && strings.Contains(o.Create, l.when) {
			p.wrong(l.entity, l.member, l.says, err)
			return
		}
	}
	p.found = append(p.found, fmt.Errorf("%s: %s says: %w", o.Name, p.dialect.Title(), err))
}

func everyColumn(t *gen.Type) string {
	var set []string
	if model.RowKeyOf(t) == nil {
		set = append(set, fmt.Sprintf("%q = %[1]q", t.ID.StorageKey()))
	}
	for _, f := range t.Fields {
		set = append(set, fmt.Sprintf("%q = %[1]q", f.StorageKey()))
	}
	return strings.Join(set, ", ")
}

// lines lists the SQL of all schemas.
func lines(m *model.Model) []line {
	var all []line
	for _, t := range m.Graph.Nodes {
		all = append(all, checks(t)...)
		all = append(all, kept(t)...)
	}
	for _, e := range m.Entities {
		for _, topic := range e.Events {
			all = append(all, condition(e.Name, "", fmt.Sprintf("event %q: condition %q", topic.Name, topic.When), e.Type, topic.When)...)
		}
		for _, d := range e.Derived {
			expression := strings.NewReplacer("{row}", `"row"`, "{viewer}", "0").Replace(d.SQL)
			all = append(all, line{
				entity: e.Name, says: fmt.Sprintf("derived %q: %q", d.Name, d.SQL),
				query: fmt.Sprintf(`SELECT (%s) FROM %q AS "row"`, expression, e.Type.Table()),
			})
		}
		for _, c := range e.Calcs {
			for _, d := range store.Dialects {
				all = append(all, calculated(c, d))
			}
		}
	}
	return all
}

// checks are the conditions of the table's checks and partial indexes.
func checks(t *gen.Type) []line {
	var all []line
	add := func(says, expression string) {
		all = append(all, line{
			entity: t.Name, says: fmt.Sprintf("%s: %q", says, expression),
			query: fmt.Sprintf("SELECT 1 FROM %q WHERE (%s)", t.Table(), expression),
		})
	}
	var a entsql.Annotation
	if ok, err := model.Annotation(t.Annotations, &a); ok && err == nil {
		if a.Check != "" {
			add("entsql.Check", a.Check)
		}
		for _, name := range sorted(a.Checks) {
			add(fmt.Sprintf("entsql.Checks %q", name), a.Checks[name])
		}
	}
	for _, i := range t.Indexes {
		var a entsql.IndexAnnotation
		if ok, err := model.Annotation(i.Annotations, &a); ok && err == nil && a.Where != "" {
			add("entsql.IndexWhere", a.Where)
		}
	}
	return all
}

func sorted(checks map[string]string) []string {
	var all []string
	for name := range checks {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// kept are the conditions of what the database keeps of the entity's fields.
func kept(t *gen.Type) []line {
	var all []line
	for _, f := range t.Fields {
		a, err := model.FieldAnnotation(f.Annotations)
		if err != nil {
			continue
		}
		if a.Tally != nil && a.Tally.When != "" {
			if child := childOf(t, a.Tally.Edge); child != nil {
				says := "expose.CountOf"
				if a.Tally.Column != "" {
					says = "expose.SumOf"
				}
				all = append(all, condition(t.Name, f.Name, fmt.Sprintf("%s: condition %q", says, a.Tally.When), child, a.Tally.When)...)
			}
		}
		if a.Stamp != nil {
			for _, edge := range t.Edges {
				if key := edge.Field(); key != nil && key.StorageKey() == a.Stamp.Column {
					all = append(all, condition(t.Name, f.Name, fmt.Sprintf("expose.StampWhen: condition %q", a.Stamp.When), edge.Type, a.Stamp.When)...)
				}
			}
		}
	}
	return all
}

func childOf(t *gen.Type, name string) *gen.Type {
	for _, edge := range t.Edges {
		if edge.Name == name && edge.M2M() {
			return edge.Through
		}
		if edge.Name == name {
			return edge.Type
		}
	}
	return nil
}

// condition asks a condition over NEW and OLD of two rows of the table.
func condition(entity, member, says string, of *gen.Type, when string) []line {
	if when == "" {
		return nil
	}
	return []line{{
		entity: entity, member: member, says: says, when: when,
		query: fmt.Sprintf("SELECT 1 FROM %q AS NEW, %[1]q AS OLD WHERE (%s)", of.Table(), when),
	}}
}

// tables makes every table, with types and without constraints.
func tables(m *model.Model, d store.Dialect) []string {
	var all []string
	made := map[string]bool{}
	add := func(table string, columns []string) {
		if name := strings.ToLower(table); !made[name] {
			made[name] = true
			all = append(all, fmt.Sprintf("CREATE TABLE %q (%s)", table, strings.Join(columns, ", ")))
		}
	}
	for _, t := range m.Graph.Nodes {
		if t.ID == nil { // its key is of several fields
			continue
		}
		columns := []string{column(t.ID, d) + " PRIMARY KEY"}
		for _, f := range t.Fields {
			columns = append(columns, column(f, d))
		}
		for _, fk := range t.ForeignKeys {
			if !fk.UserDefined {
				columns = append(columns, column(fk.Field, d))
			}
		}
		add(t.Table(), columns)
		add(model.StoredIn(t), columns[1:]) // below a view, which has the id
	}
	for _, t := range m.Graph.Nodes {
		var columns []string
		for _, f := range t.Fields {
			columns = append(columns, column(f, d))
		}
		add(t.Table(), columns) // those without an id of their own
		for _, edge := range t.Edges {
			if edge.M2M() {
				add(edge.Rel.Table, []string{
					fmt.Sprintf("%q %s", edge.Rel.Columns[0], columnType(t.ID, d)), fmt.Sprintf("%q %s", edge.Rel.Columns[1], columnType(edge.Type.ID, d)),
				})
			}
		}
	}
	return all
}

func column(f *gen.Field, d store.Dialect) string {
	return fmt.Sprintf("%q %s", f.StorageKey(), columnType(f, d))
}

func columnType(f *gen.Field, d store.Dialect) string {
	return cmp.Or(f.Column().SchemaType[d.Name()], d.ColumnType(f.Type.Type))
}
