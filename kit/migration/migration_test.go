package migration_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	atlas "ariga.io/atlas/sql/migrate"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/store"
)

// folder makes a folder of migrations: the first is version 1, the next 2.
func folder(t *testing.T, files ...string) atlas.Dir {
	t.Helper()
	dir := new(atlas.MemDir)
	for i, text := range files {
		if err := dir.WriteFile(fmt.Sprintf("%d_step.sql", i+1), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	sum, err := dir.Checksum()
	if err != nil {
		t.Fatal(err)
	}
	if err := atlas.WriteSumFile(dir, sum); err != nil {
		t.Fatal(err)
	}
	return dir
}

const (
	one   = "CREATE TABLE a (id bigint PRIMARY KEY, name text);\nINSERT INTO a VALUES (1, 'a;b');"
	two   = "CREATE TABLE b (id bigint PRIMARY KEY, a bigint REFERENCES a (id));"
	wrong = "INSERT INTO a VALUES (2, 'undone');\nINSERT INTO a VALUES (1, 'twice');"
)

func count(t *testing.T, db *store.DB, table string) (n int) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), "SELECT count(*) FROM "+table)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(&n); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

func status(t *testing.T, db *store.DB, dir atlas.Dir, applied, pending int) {
	t.Helper()
	r, err := migration.StatusOf(t.Context(), db, dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Applied) != applied || len(r.Pending) != pending || len(r.Unknown) != 0 {
		t.Errorf("Status: %+v, want %d applied and %d pending", r, applied, pending)
	}
}

func TestApply(t *testing.T) {
	t.Parallel()
	storetest.Schema{}.Each(t, func(t *testing.T, db *store.DB) {
		status(t, db, folder(t, one), 0, 1)
		for _, dir := range []atlas.Dir{folder(t), folder(t, one), folder(t, one, two), folder(t, one, two)} {
			if err := migration.Apply(t.Context(), db, dir); err != nil {
				t.Fatal(err)
			}
		}
		status(t, db, folder(t, one, two), 2, 0)
		if count(t, db, "a") != 1 || count(t, db, "b") != 0 {
			t.Error("the migrations were not applied once each")
		}
	})
}

func TestAFileThatFailsIsUndone(t *testing.T) {
	t.Parallel()
	storetest.Schema{}.Each(t, func(t *testing.T, db *store.DB) {
		err := migration.Apply(t.Context(), db, folder(t, one, wrong))
		if !store.IsUnique(err) || !strings.Contains(err.Error(), "2_step.sql") {
			t.Errorf("Apply: %v, want a unique violation in 2_step.sql", err)
		}
		if n := count(t, db, "a"); n != 1 {
			t.Errorf("%d rows, want 1: half of the file stayed", n)
		}
		status(t, db, folder(t, one, wrong), 1, 1)
		if err := migration.Apply(t.Context(), db, folder(t, one, two)); err != nil {
			t.Errorf("Apply once the file is mended: %v", err)
		}
	})
}

func TestADatabaseThatIsNotUnderstoodIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change string
		files  []string
		want   string
	}{
		"a newer database":            {"", []string{one}, "newer than this program, which does not know its migration 2: start the version"},
		"a newer one and pending":     {"UPDATE " + migration.Table + " SET version = '3' WHERE version = '2'", []string{one, two}, "does not know its migration 3"},
		"a migration in part":         {"UPDATE " + migration.Table + " SET applied = 0 WHERE version = '2'", []string{one, two}, "migration 2 was applied in part"},
		"an earlier one in part":      {"UPDATE " + migration.Table + " SET applied = 1 WHERE version = '1'", []string{one, two, "CREATE TABLE c (id bigint);"}, "migration 1 was applied in part"},
		"one in part that is unknown": {"UPDATE " + migration.Table + " SET applied = 0 WHERE version = '2'", []string{one}, "migration 2 was applied in part"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storetest.Schema{}.Each(t, func(t *testing.T, db *store.DB) {
				if err := migration.Apply(t.Context(), db, folder(t, one, two)); err != nil {
					t.Fatal(err)
				}
				if _, err := db.ExecContext(t.Context(), cmp.Or(c.change, "SELECT 1")); err != nil {
					t.Fatal(err)
				}
				dir := folder(t, c.files...)
				before, err := migration.StatusOf(t.Context(), db, dir)
				if err != nil || before.Check() == nil || !strings.Contains(before.Check().Error(), c.want) {
					t.Errorf("Status: %+v, %v: %v, want %q", before, err, before.Check(), c.want)
				}
				if err := migration.Apply(t.Context(), db, dir); err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("Apply: %v, want %q", err, c.want)
				}
				if after, err := migration.StatusOf(t.Context(), db, dir); err != nil || !reflect.DeepEqual(after, before) {
					t.Errorf("Apply changed %+v into %+v (%v)", before, after, err)
				}
			})
		})
	}
}

func TestManyStartAtOnce(t *testing.T) {
	t.Parallel()
	for name, url := range map[string]func(testing.TB) string{
		"sqlite": storetest.Schema{}.SQLiteURL, "postgres": storetest.Schema{}.PostgresURL,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := url(t)
			var wg sync.WaitGroup
			for range 6 {
				wg.Go(func() {
					if err := start(t.Context(), address, folder(t, one, two)); err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
		})
	}
}

func start(ctx context.Context, url string, dir atlas.Dir) error {
	db, err := store.Open(ctx, store.Config{URL: url})
	if err != nil {
		return err
	}
	return errors.Join(migration.Apply(ctx, db, dir), db.Close())
}

// The check of foreign keys that is put off while a file of SQLite runs is made
// up, and is on again, whether the file takes effect or not.
func TestAFileLeavesNoReferenceToNothing(t *testing.T) {
	t.Parallel()
	db := storetest.Schema{}.SQLite(t)
	const orphan = "INSERT INTO b VALUES (7, 99);"
	err := migration.Apply(t.Context(), db, folder(t, one, two, orphan))
	if err == nil || !strings.Contains(err.Error(), "of b refers to a row of a that is not there") {
		t.Errorf("Apply: %v, want what refers to nothing", err)
	}
	status(t, db, folder(t, one, two, orphan), 2, 1)
	if n := count(t, db, "b"); n != 0 {
		t.Errorf("%d rows of the file stayed", n)
	}
	if _, err := db.ExecContext(t.Context(), "INSERT INTO b VALUES (8, 99)"); !store.IsForeignKey(err) {
		t.Errorf("a reference to nothing after a file that failed: %v", err)
	}
	if err := migration.Apply(t.Context(), db, folder(t, one, two, "INSERT INTO b VALUES (9, 1);")); err != nil {
		t.Error(err)
	}
	if _, err := db.ExecContext(t.Context(), "INSERT INTO b VALUES (8, 99)"); !store.IsForeignKey(err) {
		t.Errorf("a reference to nothing after a file that took effect: %v", err)
	}
}

// A trigger and a function have semicolons inside.
func TestAFileIsCutIntoStatements(t *testing.T) {
	t.Parallel()
	storetest.Schema{}.Each(t, func(t *testing.T, db *store.DB) {
		text := one + "\nCREATE TRIGGER t AFTER INSERT ON a FOR EACH ROW BEGIN UPDATE a SET name = 'x;y' WHERE id = NEW.id; DELETE FROM a WHERE id = 1; END;\nINSERT INTO a VALUES (2, 'b');"
		if db.Postgres() {
			text = one + "\nCREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$\nBEGIN\n\tUPDATE a SET name = E'x\\';y' WHERE id = NEW.id; DELETE FROM a WHERE id = 1;\n\tRETURN NULL;\nEND\n$$;\n" +
				"CREATE TRIGGER t AFTER INSERT ON a FOR EACH ROW EXECUTE FUNCTION f();\nINSERT INTO a VALUES (2, 'b');"
		}
		if err := migration.Apply(t.Context(), db, folder(t, text)); err != nil {
			t.Fatal(err)
		}
		if n := count(t, db, "a WHERE id = 2 AND name LIKE 'x%;y'"); n != 1 || count(t, db, "a") != 1 {
			t.Error("the trigger is not what the file says")
		}
	})
}
