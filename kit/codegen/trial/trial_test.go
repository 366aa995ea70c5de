package trial_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	atlas "ariga.io/atlas/sql/migrate"

	"github.com/entwine-go/entwine/kit/codegen/trial"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/store"
)

// folder has a file of migrations more, for both databases.
func folder(t *testing.T, root, name, text string) {
	t.Helper()
	for _, d := range []string{"postgres", "sqlite"} {
		dir := filepath.Join(root, d)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		files, err := atlas.NewLocalDir(dir)
		if err == nil {
			err = files.WriteFile(name, []byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
		sum, err := files.Checksum()
		if err == nil {
			err = atlas.WriteSumFile(files, sum)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

const first = `CREATE TABLE people (id integer PRIMARY KEY, name text NOT NULL, age integer NULL, bio text NULL);
CREATE TABLE pets (id integer PRIMARY KEY);
CREATE TABLE rooms (id integer PRIMARY KEY);
INSERT INTO people VALUES (1, 'Ada', 36, 'b'), (2, 'Bob', 50, NULL), (10, 'Cid', 20, NULL), (11, 'Dan', NULL, NULL);
INSERT INTO pets VALUES (1), (2);
`

const second = `ALTER TABLE people RENAME TO persons;
ALTER TABLE persons RENAME COLUMN name TO title;
ALTER TABLE persons DROP COLUMN bio;
ALTER TABLE persons ADD COLUMN old text NULL;
UPDATE persons SET title = 'Ann', old = 'yes' WHERE id = 2;
UPDATE persons SET old = 'no' WHERE id = 10;
DELETE FROM persons WHERE id = 11;
INSERT INTO persons VALUES (12, 'Eve', 5, NULL);
DROP TABLE pets;
CREATE TABLE toys (id integer PRIMARY KEY);
`

// Rows are compared by their keys, below the names that they had, and the database that
// is named is left alone.
func TestRowsAreCompared(t *testing.T) {
	t.Parallel()
	for name, url := range map[string]func(testing.TB) string{"sqlite": storetest.Schema{}.SQLiteURL, "postgres": storetest.Schema{}.PostgresURL} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			compares(t, url(t))
		})
	}
}

func compares(t *testing.T, from string) {
	t.Helper()
	root := t.TempDir()
	folder(t, root, "20260101000000_first.sql", first)
	migrated(t, from, root)
	try := trial.Trial{Migrations: os.DirFS(root), Rows: 100, Samples: 10, Say: func(string) {}}
	run := func() (*trial.Report, error) {
		t.Helper()
		s, err := trial.Open(t.Context(), from, try.Say)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		return try.Run(t.Context(), s)
	}
	if _, err := run(); !errors.Is(err, trial.ErrNothing) {
		t.Errorf("without a migration: %v", err)
	}
	folder(t, root, "20260102000000_second.sql", second)
	report, err := run()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	report.Write(&b)
	for _, want := range []string{
		"20260102000000_second.sql took ", "people, called persons now: 4 rows before, 4 after; of 4 that were compared 1 changed, 1 are gone, 1 are new\n",
		"bio goes, with the values of 1 rows", "old is new: 2 rows have a value", `id 2: title "Bob" -> "Ann", old is "yes"`, `id 10: old is "no"`, "id 11: gone",
		"pets goes, with 2 rows", "toys is new, with 0 rows", "No requests were asked",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the report has no %q:\n%s", want, &b)
		}
	}
	if strings.Contains(b.String(), "rooms") || strings.Contains(b.String(), "entwine_") {
		t.Errorf("the report has tables that no migration names:\n%s", &b)
	}
	try.Rows = 2
	if report, err = run(); err != nil || report.Tables[0].Compared != 2 || report.Tables[0].Gone != 0 {
		t.Errorf("of two rows: %+v, %v", report.Tables, err)
	}
	folder(t, root, "20260103000000_third.sql", "INSERT INTO persons VALUES (1, 'Ada', 1, NULL);\n")
	if report, err = run(); err != nil || report.Err == nil || !strings.Contains(report.Err.Error(), "third") {
		t.Errorf("of a migration that fails: %v, %v", report, err)
	}
	db, err := store.Open(t.Context(), store.Config{URL: from})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if has, err := migration.Status(t.Context(), db, os.DirFS(root)); err != nil || len(has.Applied) != 1 {
		t.Errorf("the database that was named: %+v, %v", has, err)
	}
}

// migrated applies the folder's migrations.
func migrated(t *testing.T, url, root string) {
	t.Helper()
	db, err := store.Open(t.Context(), store.Config{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(migration.Up(t.Context(), db, os.DirFS(root)), db.Close()); err != nil {
		t.Fatal(err)
	}
}

// A file that is neither a database nor a dump is refused.
func TestOtherFilesAreRefused(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "backup.tar")
	if err := os.WriteFile(name, []byte("manifest.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	for from, want := range map[string]string{name: "neither a file of SQLite nor a dump", filepath.Dir(name): "is a folder", name + "x": "no such file"} {
		if _, err := trial.Open(t.Context(), from, func(string) {}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Open(%s): %v, want %q", from, err, want)
		}
	}
}
