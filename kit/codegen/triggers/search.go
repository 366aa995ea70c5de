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

// extensions are the extensions that PostgreSQL needs: trusted ones, which every
// role may create that may create anything in the database.
var extensions = []Object{
	{Name: "pg_trgm", Create: "CREATE EXTENSION IF NOT EXISTS pg_trgm", First: true},
}

// searches are the objects for full-text search. The folded texts are what is
// indexed, so that case means the same on both.
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

// searchColumn is PostgreSQL's column of the documents.
const searchColumn = "search_document"

// document is the column of the words of all texts that are searched.
func document(e *model.Entity) keptColumn {
	c := keptColumn{table: model.StoredIn(e.Type), name: searchColumn, kind: "tsvector", always: true}
	var parts []string
	for i, f := range e.SearchFields {
		c.from = append(c.from, f.Fold)
		text := fmt.Sprintf("translate(coalesce(%q, ''), '%s', '%s')", f.Fold, punctuation, strings.Repeat(" ", len(punctuation)-1))
		parts = append(parts, fmt.Sprintf("setweight(to_tsvector('simple', %s), '%c')", text, weights[i]))
	}
	c.value = strings.Join(parts, " || ")
	return c
}

// searchDocument is PostgreSQL's: the documents with their index, two
// from which the place of the newest rows is read without a scan, and an index of the texts' trigrams.
func searchDocument(e *model.Entity) []Object {
	table, by, objects := model.StoredIn(e.Type), e.Type.ID.StorageKey(), document(e).objects()
	if !byNumbers(e) {
		by = model.SearchRow
		objects = append(objects, ageObjects(e)...)
	}
	return append(objects, []Object{
		{Name: "search_" + table, Create: fmt.Sprintf("CREATE INDEX %q ON %q USING gin (\"search_document\")", "search_"+table, table)},
		{Name: "search_" + table + "_age", Create: fmt.Sprintf("CREATE INDEX %q ON %q USING brin ((%q + 0)) WITH (pages_per_range = 32, autosummarize = true)", "search_"+table+"_age", table, by)},
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
	return Object{Name: e.Parts(), Create: fmt.Sprintf("CREATE INDEX %q ON %q USING gin (%s)", e.Parts(), model.StoredIn(e.Type), strings.Join(columns, ", "))}
}

// fullText is a full-text table of SQLite over folded columns, which has no texts of its
// own.
type fullText struct {
	table, key, name, options string
	// columns are quoted.
	columns []string
}

// fullTexts are SQLite's of the entity: one of words and one of trigrams. That of the
// trigrams knows which rows have one, and neither where nor in which column: that is read in
// the row.
func fullTexts(e *model.Entity) []fullText {
	of := func(name string, fields []*model.Field, options string) fullText {
		t := fullText{table: model.StoredIn(e.Type), key: e.Type.ID.StorageKey(), name: name, options: options}
		for _, f := range fields {
			t.columns = append(t.columns, fmt.Sprintf("%q", f.Fold))
		}
		return t
	}
	return []fullText{
		of("search_"+e.Type.Table(), e.SearchFields, "tokenize='unicode61 remove_diacritics 0', prefix='2 3 4'"),
		of(e.Parts(), e.PartFields(), "tokenize='trigram case_sensitive 1', detail=none, columnsize=0"),
	}
}

// searchTable makes them, and the triggers that keep them in step.
func searchTable(e *model.Entity) (objects []Object) {
	if !byNumbers(e) {
		return numberedTexts(e)
	}
	for _, t := range fullTexts(e) {
		objects = append(objects, Object{Name: t.name, Create: fmt.Sprintf(
			"CREATE VIRTUAL TABLE %q USING fts5(%s, content=%q, content_rowid=%q, %s);\nINSERT INTO %[1]q (%[1]q) VALUES ('rebuild')",
			t.name, strings.Join(t.columns, ", "), t.table, t.key, t.options)})
		was, is := model.RowID(e.Type, "OLD"), model.RowID(e.Type, "NEW")
		for _, on := range []trigger{
			{on: "insert", lite: []string{t.add(is)}},
			{on: "update", lite: []string{t.remove(was), t.add(is)}, when: t.changed(renumbered(e))},
			{on: "delete", lite: []string{t.remove(was)}},
		} {
			on.table, on.name = t.table, t.name+"_on_"+on.on
			objects = append(objects, on.sqlite())
		}
	}
	return objects
}

// add adds the row NEW, which the number stands for.
func (t fullText) add(number string) string {
	return fmt.Sprintf("INSERT INTO %q (\"rowid\", %s) VALUES (%s, %s);", t.name, strings.Join(t.columns, ", "), number, t.of("NEW"))
}

// remove takes the row OLD out again.
func (t fullText) remove(number string) string {
	return fmt.Sprintf("INSERT INTO %q (%[1]q, \"rowid\", %s) VALUES ('delete', %s, %s);", t.name, strings.Join(t.columns, ", "), number, t.of("OLD"))
}

func (t fullText) of(row string) string {
	return row + "." + strings.Join(t.columns, ", "+row+".")
}

// changed is the condition that an update writes another text, or meets the other one that
// is not empty.
func (t fullText) changed(other string) string {
	changed := make([]string, 0, len(t.columns)+1)
	for _, c := range t.columns {
		changed = append(changed, fmt.Sprintf("OLD.%s IS NOT NEW.%[1]s", c))
	}
	if other != "" {
		changed = append(changed, other)
	}
	return strings.Join(changed, " OR ")
}

// renumbered is the condition that an update writes another id, which other programs may do
// in tables of theirs; empty where the table is one of Ent's.
func renumbered(e *model.Entity) string {
	if model.KeyColumn(e.Type) == "" && model.RowKeyOf(e.Type) == nil {
		return ""
	}
	return model.RowID(e.Type, "OLD") + " IS NOT " + model.RowID(e.Type, "NEW")
}
