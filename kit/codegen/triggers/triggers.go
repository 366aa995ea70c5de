// Package triggers writes what databases keep beside Ent's tables
// (internal/entity/objects.go): triggers that announce, count, stamp and
// forget, the documents of full-text search, and indexes of expressions, in
// the SQL of PostgreSQL and of SQLite.
package triggers

import (
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

// dialect is a database with its objects, in the order in which they are made.
type dialect struct {
	Name    string
	Objects []object
}

// Write writes what the databases keep beside Ent's tables.
func Write(tree *source.Tree, m *model.Model) error {
	all, err := allTriggers(m)
	if err != nil {
		return err
	}
	postgres, sqlite := dialect{Name: "postgres"}, dialect{Name: "sqlite3"}
	for _, t := range all {
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

// allTriggers are those that both databases have. Those of search differ.
func allTriggers(m *model.Model) ([]trigger, error) {
	var all []trigger
	for _, e := range m.Entities {
		all = append(all, announcements(e)...)
	}
	all = append(all, tallies(m)...)
	for _, e := range m.Entities {
		all = append(all, forgetting(e)...)
	}
	stamped, err := stamps(m)
	return append(all, stamped...), err
}

// backquoted is the text as a raw string of Go, as far as one can be.
func backquoted(text string) string {
	return "`" + strings.ReplaceAll(text, "`", "` + \"`\" + `") + "`"
}
