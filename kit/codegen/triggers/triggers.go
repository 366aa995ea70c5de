// Package triggers writes what databases keep beside Ent's tables
// (internal/entity/objects.go): triggers that announce, count, stamp and
// forget, the documents of full-text search, and indexes of expressions, in
// the SQL of PostgreSQL and of SQLite.
package triggers

import (
	"fmt"
	"strings"
	"text/template"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/source"
)

var objectsFile = template.Must(template.New("objects").Funcs(template.FuncMap{"quote": backquoted}).Parse(`{{ .Header }}

package entity

// Object is something that a database keeps beside Ent's tables: a trigger, a
// function that one calls, what full-text search reads.
type Object struct {
	// Name is for messages, Create makes it.
	Name, Create string
	// First is set for what tables need.
	First bool
}

// Objects are what the schemas have the databases do themselves, by Ent's
// name of the database, in the order in which they are made: announce writes
// in the table of events (expose.Topic), count and add up (expose.CountOf,
// SumOf, MeanOf), forget (expose.ForgetWith), stamp (expose.StampWhen), index
// texts for search (expose.Resource.Search), and amounts by the numbers that
// are shown (expose.Money).
var Objects = map[string][]Object{
	{{- range .Dialects }}
	"{{ .Name }}": {
		{{- range .Objects }}
		{Name: "{{ .Name }}", Create: {{ quote .Create }}{{ if .First }}, First: true{{ end }}},
		{{- end }}
	},
	{{- end }}
}
`))

type object struct {
	Name, Create string
	First        bool
}

// Write writes what the databases keep beside Ent's tables.
func Write(tree *source.Tree, m *model.Model) error {
	var triggers []trigger
	for _, e := range m.Entities {
		triggers = append(triggers, announcements(e)...)
	}
	triggers = append(triggers, allTallies(m)...)
	for _, e := range m.Entities {
		triggers = append(triggers, forgetting(e)...)
	}
	stamps, err := stamps(m)
	if err != nil {
		return err
	}
	triggers = append(triggers, stamps...)
	type dialect struct {
		Name    string
		Objects []object
	}
	postgres, sqlite := dialect{Name: "postgres"}, dialect{Name: "sqlite3"}
	for _, t := range triggers {
		postgres.Objects = append(postgres.Objects, t.postgres()...)
		sqlite.Objects = append(sqlite.Objects, t.sqlite())
	}
	postgres.Objects = append(postgres.Objects, turns(keptRelations(m))...)
	documents, tables := searches(m)
	postgres.Objects = append(postgres.Objects, documents...)
	sqlite.Objects = append(sqlite.Objects, tables...)
	for _, i := range m.UnitIndexes {
		postgres.Objects = append(postgres.Objects, unitIndex(i))
		sqlite.Objects = append(sqlite.Objects, unitIndex(i))
	}
	return tree.Folder("internal/entity").WriteGo("objects.go", objectsFile, source.Data{"Dialects": []dialect{postgres, sqlite}})
}

// unitIndex is made beside Ent's indexes: Ent knows no index of an expression.
func unitIndex(i model.UnitIndex) object {
	return object{Name: i.Name, Create: fmt.Sprintf("CREATE INDEX %q ON %q (%s)", i.Name, i.Table, strings.Join(i.Terms, ", "))}
}

// backquoted is the text as a raw string of Go, as far as one can be.
func backquoted(text string) string {
	return "`" + strings.ReplaceAll(text, "`", "` + \"`\" + `") + "`"
}

// trigger is what happens in the database after a row of a table was written.
type trigger struct {
	name, table string
	// on is the statement: "insert", "update" or "delete".
	on string
	// when is a condition over OLD and NEW, empty for always.
	when string
	// first is set where it happens before the rows that refer to a removed row
	// go with it.
	first bool
	// together is set where it happens once for all rows that a statement has
	// removed, which the table "removed" holds. PostgreSQL only.
	together bool
	// body holds the statements. Where the databases differ they are written
	// for PostgreSQL, and lite holds SQLite's.
	body, lite []string
}

// postgres returns the function and the trigger that calls it. A trigger that
// is before the row is removed may not change rows that the same statement
// removes, too: what is to be first comes after that, and goes by its name
// before those of foreign keys (RI_…), for triggers are called in the order of
// theirs, capitals first.
func (t trigger) postgres() []object {
	if t.first {
		t.name = strings.ToUpper(t.name)
	}
	function := fmt.Sprintf("CREATE OR REPLACE FUNCTION %q() RETURNS trigger LANGUAGE plpgsql AS $$\nBEGIN\n\t%s\n\tRETURN NULL;\nEND $$",
		t.name, strings.Join(t.body, "\n\t"))
	when := ""
	if t.when != "" {
		when = " WHEN (" + t.when + ")"
	}
	each := "FOR EACH ROW"
	if t.together {
		each = `REFERENCING OLD TABLE AS "removed" FOR EACH STATEMENT`
	}
	create := fmt.Sprintf("CREATE TRIGGER %q AFTER %s ON %q %s%s EXECUTE FUNCTION %q()",
		t.name, strings.ToUpper(t.on), t.table, each, when, t.name)
	return []object{{Name: t.name + " (function)", Create: function}, {Name: t.name, Create: create}}
}

func (t trigger) sqlite() object {
	moment := "AFTER"
	if t.first {
		moment = "BEFORE"
	}
	body, when := t.lite, ""
	if body == nil {
		body = t.body
	}
	if t.when != "" {
		when = " WHEN " + t.when
	}
	return object{Name: t.name, Create: fmt.Sprintf("CREATE TRIGGER %q %s %s ON %q FOR EACH ROW%s BEGIN\n\t%s\nEND",
		t.name, moment, strings.ToUpper(t.on), t.table, when, strings.Join(body, "\n\t"))}
}
