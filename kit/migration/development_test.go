package migration_test

import (
	"errors"
	"io/fs"
	"testing"
	"testing/fstest"

	atlas "ariga.io/atlas/sql/migrate"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/migration"
)

// files are migrations of SQLite that lead to the schema with the digest.
func files(t *testing.T, digest string, texts ...string) fs.FS {
	t.Helper()
	all := fstest.MapFS{migration.DigestFile: {Data: []byte(digest + "\n")}}
	dir := folder(t, texts...)
	list, err := dir.Files()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		all["sqlite/"+f.Name()] = &fstest.MapFile{Data: f.Bytes()}
	}
	sum, err := dir.Checksum()
	if err != nil {
		t.Fatal(err)
	}
	text, err := sum.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	all["sqlite/"+atlas.HashFileName] = &fstest.MapFile{Data: text}
	return all
}

// A step without a name is refused by programs of another schema, undone where
// it fails or was only tried, and counts as the migration that comes to the same.
func TestSteps(t *testing.T) {
	db := storetest.Schema{}.SQLite(t)
	was := files(t, "one", one)
	if err := migration.Up(t.Context(), db, was); err != nil {
		t.Fatal(err)
	}
	step := migration.Step{Statements: []string{two}, Digest: "two", Files: was, Try: true}
	if err := migration.Develop(t.Context(), db, step); err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), "SELECT * FROM b"); err == nil {
		t.Error("a step that was only tried has stayed")
	}
	step.Try = false
	if err := migration.Develop(t.Context(), db, migration.Step{Statements: []string{two, "INSERT INTO a VALUES (1, 'twice')"}, Digest: "two", Files: was}); err == nil {
		t.Error("a step that fails is taken")
	}
	if err := migration.Develop(t.Context(), db, step); err != nil {
		t.Fatal(err)
	}
	if digest, err := migration.Developed(t.Context(), db); digest != "two" || err != nil {
		t.Errorf("the database is of the schema %q, %v", digest, err)
	}
	for digest, texts := range map[string][]string{"one": {one}, "three": {one, "CREATE TABLE c (id bigint PRIMARY KEY);"}} {
		if err := migration.Up(t.Context(), db, files(t, digest, texts...)); !errors.Is(err, migration.ErrDevelopment) {
			t.Errorf("a program of schema %s: %v, want that it is refused", digest, err)
		}
	}
	named := files(t, "two", one, two)
	if err := migration.Up(t.Context(), db, named); err != nil {
		t.Fatalf("the step has a name by now: %v", err)
	}
	if r, err := migration.Status(t.Context(), db, named); err != nil || len(r.Applied) != 2 || len(r.Pending)+len(r.Unknown) > 0 {
		t.Errorf("the database has had %+v, %v", r, err)
	}
	if digest, err := migration.Developed(t.Context(), db); digest != "" || err != nil {
		t.Errorf("migrations lead where it is, and it says %q, %v", digest, err)
	}

	// Another branch, which has neither the migration nor the table.
	if err := migration.Develop(t.Context(), db, migration.Step{Statements: []string{"DROP TABLE b"}, Digest: "one", Files: was}); err != nil {
		t.Fatal(err)
	}
	if r, err := migration.Status(t.Context(), db, was); err != nil || len(r.Applied) != 1 || len(r.Pending)+len(r.Unknown) > 0 {
		t.Errorf("on the branch before, the database has had %+v, %v", r, err)
	}
}

// Before the first migration is written there is no folder of them. Where one was
// written, a folder that is missing is a mistake.
func TestNoMigrationIsWrittenYet(t *testing.T) {
	db, none := storetest.Schema{}.SQLite(t), fstest.MapFS{"migrate.go": {Data: []byte("package migrate\n")}}
	if err := migration.Develop(t.Context(), db, migration.Step{Statements: []string{one}, Digest: "one", Files: none}); err != nil {
		t.Fatal(err)
	}
	if r, err := migration.Status(t.Context(), db, none); err != nil || len(r.Pending)+len(r.Unknown) > 0 {
		t.Errorf("Status: %+v, %v", r, err)
	}
	if err := migration.Matches(none, "one", db.Dialect.Name()); !errors.Is(err, migration.ErrBehind) {
		t.Errorf("Matches: %v, want %v", err, migration.ErrBehind)
	}
	none[migration.DigestFile] = &fstest.MapFile{Data: []byte("one\n")}
	if _, err := migration.Status(t.Context(), db, none); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Status without a folder: %v, want %v", err, fs.ErrNotExist)
	}
}
