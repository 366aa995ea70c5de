package planner_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/schema/field"
	"golang.org/x/text/cases"

	"github.com/entwine-go/entwine/kit/codegen/planner"
	"github.com/entwine-go/entwine/kit/fold"
	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/store"
)

// films is a table of other programs, with types, names and defaults of theirs.
var films = map[string]string{
	dialect.SQLite: `CREATE TABLE [Film] ([FilmId] INTEGER NOT NULL, [Title] NVARCHAR(40) DEFAULT ('none'), kept BLOB, CONSTRAINT pk PRIMARY KEY ([FilmId]));
CREATE TABLE [Copy] ([CopyId] INTEGER PRIMARY KEY, [FilmId] INTEGER NOT NULL CHECK (FilmId > 0), FOREIGN KEY (FilmId) REFERENCES Film (FilmId) ON DELETE RESTRICT);
CREATE TABLE logs (line TEXT);
CREATE INDEX their_index ON Copy (FilmId, CopyId);
CREATE VIEW titles AS SELECT Title FROM Film JOIN logs;
CREATE TRIGGER noted AFTER INSERT ON Film BEGIN INSERT INTO logs VALUES (NEW.Title); END;
`,
	dialect.Postgres: `CREATE DOMAIN year AS integer CONSTRAINT year_check CHECK (VALUE > 1900);
CREATE TYPE stars AS ENUM ('one', 'two');
CREATE TABLE "Film" ("FilmId" serial CONSTRAINT pk PRIMARY KEY, "Title" varchar(40) DEFAULT 'none', kept tsvector, rated stars, made year);
CREATE TABLE "Copy" ("CopyId" integer PRIMARY KEY, "FilmId" integer NOT NULL CHECK ("FilmId" > 0), CONSTRAINT theirs FOREIGN KEY ("FilmId") REFERENCES "Film" ("FilmId") ON DELETE RESTRICT);
CREATE INDEX their_index ON "Copy" ("FilmId", "CopyId");
CREATE INDEX by_words ON "Film" USING gin (kept);
`,
}

// filmed is a schema of them, beside a table of its own.
func filmed() planner.Schema {
	film := &schema.Table{Name: "Film", Columns: []*schema.Column{
		{Name: "FilmId", Type: field.TypeInt64, Increment: true},
		{Name: "Title", Type: field.TypeString},
	}}
	film.PrimaryKey = film.Columns[:1]
	film.Indexes = []*schema.Index{{Name: "film_title", Unique: true, Columns: film.Columns[1:2]}}
	copies := &schema.Table{Name: "Copy", Columns: []*schema.Column{
		{Name: "CopyId", Type: field.TypeInt64, Increment: true},
		{Name: "FilmId", Type: field.TypeInt64, Nullable: true},
	}}
	copies.PrimaryKey = copies.Columns[:1]
	copies.Indexes = []*schema.Index{{Name: "copy_film_id", Columns: copies.Columns[1:2]}}
	copies.ForeignKeys = []*schema.ForeignKey{{Symbol: "Copy_Film_copies", Columns: copies.Columns[1:2], RefTable: film, RefColumns: film.Columns[:1], OnDelete: schema.Cascade}}
	s := blog()
	s.Tables = append(s.Tables, film, copies)
	return s
}

// Tables of a baseline are never altered to match the schema; additions of the schema are
// planned.
func TestWhatABaselineHasMadeIsLeftAlone(t *testing.T) {
	t.Parallel()
	root := repository(t)
	for name, text := range films {
		text = migration.BaselineOf("Film", []string{"FilmId", "Title"}) + "\n" + migration.BaselineOf("Copy", []string{"CopyId", "FilmId"}) + "\n\n" + text
		if _, err := planner.Baseline(t.Context(), root, name, text); err != nil {
			t.Fatal(err)
		}
		if tables, err := planner.Adopted(root, name); err != nil || len(tables) != 2 || tables[0] != "Film" {
			t.Errorf("Adopted of %s: %v, %v", name, tables, err)
		}
	}
	text := diff(t, root, "begin", filmed())
	for _, touched := range []string{"Film", "Copy", "logs", "titles", "noted"} {
		for line := range strings.Lines(text) {
			if strings.Contains(line, touched) && !strings.Contains(line, "film_title") && !strings.Contains(line, "no two rows") {
				t.Errorf("the migration that begins touches %s: %s", touched, line)
			}
		}
	}
	if n := strings.Count(text, "film_title"); n < 2 || strings.Contains(text, "copy_film_id") {
		t.Errorf("of the indexes, the one that the tables lack is made:\n%s", text)
	}
	if err := planner.Verify(t.Context(), root, filmed()); err != nil {
		t.Fatalf("Verify: %v", err)
	}

	more := func(names ...string) planner.Schema {
		s := filmed()
		for _, name := range names {
			s.Tables[2].Columns = append(s.Tables[2].Columns, &schema.Column{Name: name, Type: field.TypeInt64, Nullable: true})
		}
		return s
	}
	text = diff(t, root, "grow", more("note", "rank"))
	if strings.Count(text, "ADD COLUMN") != 4 || strings.Contains(text, "DROP") {
		t.Errorf("two columns are added, and nothing else:\n%s", text)
	}
	if err := planner.Verify(t.Context(), root, more("note", "rank")); err != nil {
		t.Errorf("Verify of what has grown: %v", err)
	}
	if text = diff(t, root, "shrink", more("rank"), "Film.note"); strings.Count(text, "note") < 2 || strings.Contains(text, "kept") && !strings.Contains(text, "INSERT INTO") {
		t.Errorf("a column that a schema has added goes, and no other:\n%s", text)
	}
}

// Searches find what other programs write: their tables fold it.
func TestTextsOfOtherProgramsAreFolded(t *testing.T) {
	t.Parallel()
	root := repository(t)
	for name, text := range films {
		text = migration.BaselineOf("Film", []string{"FilmId", "Title"}) + "\n" + migration.BaselineOf("Copy", []string{"CopyId", "FilmId"}) + "\n\n" + text
		if _, err := planner.Baseline(t.Context(), root, name, text); err != nil {
			t.Fatal(err)
		}
	}
	searched := func(is bool) planner.Schema {
		s := filmed()
		if is {
			film := s.Tables[len(s.Tables)-2]
			film.Columns = append(film.Columns, &schema.Column{Name: "Title_fold", Type: field.TypeString, Nullable: true})
			s.Fills = []planner.Fill{{Table: "Film", Columns: []string{"Title_fold"}, From: []string{"Title"}, Statements: map[string][]string{
				dialect.SQLite: {migration.Fold("Film", "Title", "Title_fold")}, dialect.Postgres: {migration.Fold("Film", "Title", "Title_fold")},
			}}}
		}
		return s
	}
	diff(t, root, "begin", filmed())
	begun := copied(t, root)
	if text := diff(t, root, "search", searched(true)); strings.Contains(text, "entwine_sync_") {
		t.Errorf("what folds for all is to end:\n%s", text)
	}
	if err := planner.Verify(t.Context(), root, searched(true)); err != nil {
		t.Fatal(err)
	}
	found := copied(t, root)
	diff(t, root, "forget", searched(false))
	if err := planner.Verify(t.Context(), root, searched(false)); err != nil {
		t.Fatal(err)
	}
	for name, db := range map[string]*store.DB{"postgres": from(begun).Postgres(t), "sqlite": from(begun).SQLite(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			exec(t, db, `INSERT INTO "Film" ("Title") VALUES ('ÄNNE')`)
			if err := apply(t.Context(), db, found); err != nil {
				t.Fatal(err)
			}
			folds(t, db)
			const titles = `SELECT "Title" || '/' || "Title_fold" FROM "Film" ORDER BY 1`
			exec(t, db, `DELETE FROM "Film" WHERE "Title" <> 'ÄNNE'`)
			exec(t, db, `INSERT INTO "Film" ("Title") VALUES ('Bob')`)
			exec(t, db, `INSERT INTO "Film" ("Title", "Title_fold") VALUES ('Own', 'its own')`)
			exec(t, db, `UPDATE "Film" SET "Title" = 'ANNE' WHERE "Title" = 'ÄNNE'`)
			exec(t, db, `UPDATE "Film" SET "Title" = 'Owned', "Title_fold" = 'as it says' WHERE "Title" = 'Own'`)
			if got := read(t, db, titles); got != "ANNE/anne Bob/bob Owned/as it says" {
				t.Errorf("the texts are %s", got)
			}
			exec(t, db, `UPDATE "Film" SET "Title" = NULL WHERE "Title" = 'Bob'`)
			if got := read(t, db, `SELECT CAST(count(*) AS text) FROM "Film" WHERE "Title" IS NULL AND "Title_fold" IS NULL`); got != "1" {
				t.Error("a folded text is left of one that is none")
			}
			if err := apply(t.Context(), db, root); err != nil {
				t.Fatal(err)
			}
			exec(t, db, `UPDATE "Film" SET "Title" = 'x' WHERE "Title" IS NULL`)
		})
	}
}

// folds has all letters that are folded, or written otherwise, be written by another
// program. SQLite leaves letters of several characters apart.
func folds(t *testing.T, db *store.DB) {
	t.Helper()
	var texts []string
	for r := rune(1); r <= 0x1ffff; r++ {
		text := "É" + string(r) + "!"
		if utf8.ValidRune(r) && fold.String(string(r)) != string(r) && (db.Postgres() || fold.String(text) == cases.Fold().String(text) && fold.String(fold.String(text)) == fold.String(text)) {
			texts = append(texts, text)
		}
	}
	var values []string
	for part := range slices.Chunk(texts, 8) {
		values = append(values, "('"+strings.Join(part, "")+"')")
	}
	exec(t, db, `INSERT INTO "Film" ("Title") VALUES ('ΟΔΟΣ'), ('Straße'), ('İSTANBUL'), (''), ('ASCII ~ It''s'), `+strings.Join(values, ", "))
	rows, err := db.QueryContext(t.Context(), `SELECT "Title", "Title_fold" FROM "Film"`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	n := 0
	for ; rows.Next(); n++ {
		var text, folded string
		if err := rows.Scan(&text, &folded); err != nil {
			t.Fatal(err)
		}
		if want := fold.String(text); folded != want {
			t.Errorf("%q is folded to %q, want %q", text, folded, want)
		}
	}
	if rows.Err() != nil || n != len(values)+6 {
		t.Fatalf("%d texts of %d: %v", n, len(values)+6, rows.Err())
	}
}
