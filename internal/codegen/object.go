package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"text/template"
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

// writeObjects writes what the databases keep beside Ent's tables.
func writeObjects(root string, m *Model) error {
	var triggers []trigger
	for _, e := range m.Entities {
		triggers = append(triggers, e.announcements()...)
	}
	triggers = append(triggers, m.tallies()...)
	for _, e := range m.Entities {
		triggers = append(triggers, e.forgetting()...)
	}
	stamps, err := m.stamps()
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
	documents, tables := m.searches()
	postgres.Objects = append(postgres.Objects, documents...)
	sqlite.Objects = append(sqlite.Objects, tables...)
	postgres.Objects = append(postgres.Objects, m.Units...)
	sqlite.Objects = append(sqlite.Objects, m.Units...)
	return writeGo(filepath.Join(root, "internal/entity/objects.go"), objectsFile, map[string]any{
		"Header": header, "Dialects": []dialect{postgres, sqlite},
	})
}

// backquoted is the text as a raw string of Go, as far as one can be.
func backquoted(text string) string {
	return "`" + strings.ReplaceAll(text, "`", "` + \"`\" + `") + "`"
}

// trigger is what happens in the database after a row of a table was written,
// or before.
type trigger struct {
	name, table string
	// on is the statement: "insert", "update" or "delete".
	on string
	// when is a condition over OLD and NEW, empty for always.
	when string
	// before is set where it happens before the row is removed.
	before bool
	// body holds the statements. Where the databases differ they are written
	// for PostgreSQL, and lite holds SQLite's.
	body, lite []string
}

// postgres returns the function and the trigger that calls it.
func (t trigger) postgres() []object {
	moment, result := t.moment()
	function := fmt.Sprintf("CREATE OR REPLACE FUNCTION %q() RETURNS trigger LANGUAGE plpgsql AS $$\nBEGIN\n\t%s\n\tRETURN %s;\nEND $$",
		t.name, strings.Join(t.body, "\n\t"), result)
	when := ""
	if t.when != "" {
		when = " WHEN (" + t.when + ")"
	}
	create := fmt.Sprintf("CREATE TRIGGER %q %s %s ON %q FOR EACH ROW%s EXECUTE FUNCTION %q()",
		t.name, moment, strings.ToUpper(t.on), t.table, when, t.name)
	return []object{{Name: t.name + " (function)", Create: function}, {Name: t.name, Create: create}}
}

// moment is when it happens, and what PostgreSQL's function returns then.
func (t trigger) moment() (moment, result string) {
	if t.before {
		return "BEFORE", "OLD"
	}
	return "AFTER", "NULL"
}

func (t trigger) sqlite() object {
	moment, _ := t.moment()
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
