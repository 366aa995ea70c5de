package triggers

import (
	"fmt"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/model"
)

// weights are PostgreSQL's, in the order of the fields of expose.Resource.Search:
// as many as the model allows.
const weights = "ABCD"

// punctuation is ASCII's. PostgreSQL's parser joins words over it, to
// addresses and numbers, where SQLite's ends a word: as spaces it ends words
// on both.
const punctuation = "!\"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~"

// extensions are what PostgreSQL needs: trusted ones, which every role may
// create that may create anything in the database.
var extensions = []Object{
	{Name: "pg_trgm", Create: "CREATE EXTENSION IF NOT EXISTS pg_trgm", First: true},
}

// searches are what the databases keep for full-text search. The folded texts
// are what is indexed, so that case means the same on both.
func searches(m *model.Model) (postgres, sqlite []Object) {
	for _, e := range m.Searchable() {
		postgres = append(postgres, searchDocument(e)...)
		sqlite = append(sqlite, searchTable(e)...)
	}
	if len(postgres) > 0 {
		postgres = append(extensions, postgres...)
	}
	return postgres, sqlite
}

// document is the column of the words of all texts that are searched.
func document(e *model.Entity) keptColumn {
	c := keptColumn{table: e.Type.Table(), name: "search_document", kind: "tsvector", always: true}
	var parts []string
	for i, f := range e.SearchFields {
		c.from = append(c.from, f.Fold)
		text := fmt.Sprintf("translate(coalesce(%q, ''), '%s', '%s')", f.Fold, punctuation, strings.Repeat(" ", len(punctuation)-1))
		parts = append(parts, fmt.Sprintf("setweight(to_tsvector('simple', %s), '%c')", text, weights[i]))
	}
	c.value = strings.Join(parts, " || ")
	return c
}

// searchDocument is PostgreSQL's: the documents with their index, one
// from which the place of the newest rows is read without a scan, and an index of the texts' trigrams.
func searchDocument(e *model.Entity) []Object {
	table := e.Type.Table()
	return append(document(e).objects(), []Object{
		{Name: "search_" + table, Create: fmt.Sprintf("CREATE INDEX %q ON %q USING gin (\"search_document\")", "search_"+table, table)},
		{Name: "search_" + table + "_age", Create: fmt.Sprintf("CREATE INDEX %q ON %q USING brin ((\"id\" + 0)) WITH (pages_per_range = 32, autosummarize = true)", "search_"+table+"_age", table)},
		trigramIndex(e),
	}...)
}

// trigramIndex is an index of the trigrams of all texts that listings are searched
// by: of each alone, and of any of them.
func trigramIndex(e *model.Entity) Object {
	var columns []string
	for _, f := range e.PartFields() {
		columns = append(columns, fmt.Sprintf("%q gin_trgm_ops", f.Fold))
	}
	return Object{Name: e.Parts(), Create: fmt.Sprintf("CREATE INDEX %q ON %q USING gin (%s)", e.Parts(), e.Type.Table(), strings.Join(columns, ", "))}
}

// searchTable is SQLite's: full-text tables over the folded columns, which
// have no texts of their own, one of words and one of trigrams, and the
// triggers that keep them in step. That of the trigrams knows which rows have
// one, and neither where nor in which column: that is read in the row.
func searchTable(e *model.Entity) []Object {
	return append(fullText(e, "search_"+e.Type.Table(), e.SearchFields, "tokenize='unicode61 remove_diacritics 0', prefix='2 3 4'"),
		fullText(e, e.Parts(), e.PartFields(), "tokenize='trigram case_sensitive 1', detail=none, columnsize=0")...)
}

func fullText(e *model.Entity, name string, fields []*model.Field, options string) []Object {
	table := e.Type.Table()
	var columns, changed []string
	for _, f := range fields {
		columns = append(columns, fmt.Sprintf("%q", f.Fold))
		changed = append(changed, fmt.Sprintf("OLD.%q IS NOT NEW.%q", f.Fold, f.Fold))
	}
	all := strings.Join(columns, ", ")
	of := func(row string) string {
		return row + `."id", ` + row + "." + strings.Join(columns, ", "+row+".")
	}
	add := fmt.Sprintf("INSERT INTO %q (\"rowid\", %s) VALUES (%s);", name, all, of("NEW"))
	remove := fmt.Sprintf("INSERT INTO %q (%q, \"rowid\", %s) VALUES ('delete', %s);", name, name, all, of("OLD"))
	objects := []Object{{Name: name, Create: fmt.Sprintf(
		"CREATE VIRTUAL TABLE %q USING fts5(%s, content=%q, content_rowid=\"id\", %s);\nINSERT INTO %[1]q (%[1]q) VALUES ('rebuild')", name, all, table, options)}}
	for _, t := range []trigger{
		{on: "insert", lite: []string{add}},
		{on: "update", lite: []string{remove, add}, when: strings.Join(changed, " OR ")},
		{on: "delete", lite: []string{remove}},
	} {
		t.table, t.name = table, name+"_on_"+t.on
		objects = append(objects, t.sqlite())
	}
	return objects
}
