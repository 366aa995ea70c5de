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

// searchDocument is PostgreSQL's: the documents with their index, one that
// tells at no cost where the newest rows are, the words that there are, for
// those who misspell them, and an index of the texts' trigrams.
func searchDocument(e *model.Entity) []Object {
	table := e.Type.Table()
	objects := append(document(e).objects(), []Object{
		{Name: "search_" + table, Create: fmt.Sprintf("CREATE INDEX %q ON %q USING gin (\"search_document\")", "search_"+table, table)},
		{Name: "search_" + table + "_age", Create: fmt.Sprintf("CREATE INDEX %q ON %q USING brin ((\"id\" + 0)) WITH (pages_per_range = 32, autosummarize = true)", "search_"+table+"_age", table)},
		trigramIndex(e),
	}...)
	return append(objects, searchWords(e)...)
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

// learnt are the words that are remembered: shorter ones are not corrected,
// and what is longer, or has no letter, is no word that one types.
const learnt = `length("word") BETWEEN 4 AND 40 AND "word" ~ '[^0-9]'`

// searchWords is a table of the words that are in the rows, with an index of
// their trigrams, and the triggers that keep it: names of people are not
// remembered after their row is gone. No constraint keeps
// a word from being there twice, as what two writers add at once may be: it
// would have the one wait until the other's transaction is over.
//
// Where rows are there already, the triggers come once the index does, which
// they need to tell whether a word is in another row; then the words of the
// rows are collected.
func searchWords(e *model.Entity) []Object {
	table := e.Type.Table()
	name := "search_" + table + "_words"
	known := fmt.Sprintf(`EXISTS (SELECT 1 FROM %q AS "known" WHERE "known"."word" = "w"."word")`, name)
	collect := fmt.Sprintf(
		`INSERT INTO %q ("word") SELECT DISTINCT "w"."word" FROM %q, unnest(tsvector_to_array(%[2]q."search_document")) AS "w" ("word") WHERE {span} AND %s AND NOT %s`,
		name, table, strings.ReplaceAll(learnt, `"word"`, `"w"."word"`), known)
	objects := []Object{
		{Name: name, Collects: collect, From: table, Create: fmt.Sprintf(`CREATE TABLE %q ("word" text COLLATE "C" NOT NULL)`, name)},
		{Name: name + "_word", Create: fmt.Sprintf("CREATE INDEX %q ON %q (\"word\")", name+"_word", name)},
		{Name: name + "_alike", Create: fmt.Sprintf("CREATE INDEX %q ON %q USING gin (\"word\" gin_trgm_ops)", name+"_alike", name)},
	}
	learn := fmt.Sprintf(`INSERT INTO %q ("word") SELECT "word" FROM unnest(tsvector_to_array(NEW."search_document")) AS "w" ("word") WHERE %s AND NOT %s;`, name, learnt, known)
	objects = append(objects, forgetWords(table, name))
	for _, t := range []trigger{
		{on: "insert", body: []string{learn}},
		{on: "update", when: `OLD."search_document" IS DISTINCT FROM NEW."search_document"`, body: []string{learn,
			fmt.Sprintf(`PERFORM %q(ARRAY(SELECT unnest(tsvector_to_array(OLD."search_document")) EXCEPT SELECT unnest(tsvector_to_array(NEW."search_document"))));`, name+"_forget")}},
		{on: "delete", together: true, body: []string{
			fmt.Sprintf(`PERFORM %q(ARRAY(SELECT DISTINCT unnest(tsvector_to_array("search_document")) FROM "removed"));`, name+"_forget")}},
	} {
		t.table, t.name = table, name+"_on_"+t.on
		for _, o := range t.postgres() {
			o.Late, o.Collects, o.From = true, collect, table
			objects = append(objects, o)
		}
	}
	return objects
}

// forgetWords is a function that removes from the dictionary those of the words
// that are in no row any more. Common words are in one of the newest rows: the
// index, which would list all the rows of a word, is asked for the others only,
// and never replaced by reading the table for a word that is not there.
func forgetWords(table, name string) Object {
	const quoted = `('''' || replace(replace("rare"."word", '\', '\\'), '''', '''''') || '''')::tsquery`
	return Object{Name: name + "_forget", Create: fmt.Sprintf(`CREATE OR REPLACE FUNCTION %q("gone" text[]) RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
	DELETE FROM %q WHERE "word" = ANY (ARRAY(
		SELECT "rare"."word" FROM (
			SELECT "word" FROM unnest("gone") AS "w" ("word") WHERE %s
			EXCEPT SELECT unnest(tsvector_to_array("newest"."search_document")) FROM (SELECT "search_document" FROM %q ORDER BY "id" DESC LIMIT 100) AS "newest"
		) AS "rare" WHERE NOT EXISTS (SELECT 1 FROM %[4]q AS "row" WHERE "row"."search_document" @@ %[5]s)));
END $$`, name+"_forget", name, learnt, table, quoted)}
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
