package planner_test

import (
	"strings"
	"testing"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/planner"
	"github.com/entwine-go/entwine/kit/migration"
)

// films is what other programs have made: types, names and defaults are theirs.
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

// What a baseline has made is left alone, whatever the schema says of it, and what the
// schema adds to it is planned.
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
	db := from(root).Postgres(t)
	exec(t, db, `INSERT INTO "Film" ("Title") VALUES ('ÄNNE')`)
	if text := diff(t, root, "search", searched(true)); strings.Contains(text, "entwine_sync_") {
		t.Errorf("what folds for all is to end:\n%s", text)
	}
	if err := planner.Verify(t.Context(), root, searched(true)); err != nil {
		t.Fatal(err)
	}
	if err := apply(t.Context(), db, root); err != nil {
		t.Fatal(err)
	}
	const titles = `SELECT "Title" || '/' || "Title_fold" FROM "Film" ORDER BY 1`
	exec(t, db, `INSERT INTO "Film" ("Title") VALUES ('Bob')`)
	exec(t, db, `INSERT INTO "Film" ("Title", "Title_fold") VALUES ('Own', 'its own')`)
	exec(t, db, `UPDATE "Film" SET "Title" = 'ANNE' WHERE "Title" = 'ÄNNE'`)
	exec(t, db, `UPDATE "Film" SET "Title" = 'Owned', "Title_fold" = 'as it says' WHERE "Title" = 'Own'`)
	if got := read(t, db, titles); got != "ANNE/anne Bob/bob Owned/as it says" {
		t.Errorf("the texts are %s", got)
	}
	diff(t, root, "forget", searched(false))
	if err := planner.Verify(t.Context(), root, searched(false)); err != nil {
		t.Fatal(err)
	}
	if err := apply(t.Context(), db, root); err != nil {
		t.Fatal(err)
	}
	exec(t, db, `UPDATE "Film" SET "Title" = 'x' WHERE "Title" = 'Bob'`)
}
