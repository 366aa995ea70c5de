// Package storetest gives a test databases of its own.
//
// [Schema.Each] runs a test on SQLite and on PostgreSQL, each time on a fresh copy
// of a migrated database: a file that is copied, a template that is cloned.
// The copies are made from one that is migrated once for each state of the
// migrations. Where PostgreSQL is missing the test says so and is skipped,
// or fails if ENTWINE_TEST_REQUIRE names it.
package storetest

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/store"
)

// Schema fills a new database.
type Schema struct {
	// Key changes whenever Up does something else: the migrated database is
	// kept under this name, by other processes too.
	Key string
	// Up makes the tables.
	Up func(ctx context.Context, db *store.DB) error
}

// Migrated is the schema of every migration in files, which has a folder for
// each database.
func Migrated(t testing.TB, files fs.FS) Schema {
	t.Helper()
	key, err := migration.Key(files)
	if err != nil {
		t.Fatal(err)
	}
	return Schema{Key: key, Up: func(ctx context.Context, db *store.DB) error { return migration.Up(ctx, db, files) }}
}

// Each runs the test as two parallel subtests, on SQLite and on PostgreSQL. Where
// PostgreSQL is missing, that one is skipped ([Missing]).
func (s Schema) Each(t *testing.T, test func(t *testing.T, db *store.DB)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, s.SQLite(t))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(t, s.Postgres(t))
	})
}

// Missing skips the test because a service, such as "postgres", is missing, with err
// as the reason. The test fails instead where ENTWINE_TEST_REQUIRE names the service.
func Missing(t testing.TB, service string, err error) {
	t.Helper()
	for required := range strings.SplitSeq(os.Getenv("ENTWINE_TEST_REQUIRE"), ",") {
		if strings.TrimSpace(required) == service {
			t.Fatalf("%s is required: %v", service, err)
		}
	}
	t.Skipf("NOT TESTED on %s: %v", service, err)
}

// open opens the database and closes it when the test ends.
func open(t testing.TB, c store.Config) *store.DB {
	t.Helper()
	c.Conns = 8
	db, err := store.Open(t.Context(), c)
	if err != nil {
		t.Fatalf("open %s: %v", c.URL, err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Errorf("close %s: %v", c.URL, err)
		}
	})
	return db
}

// fill opens the database at url and runs the schema on it.
func (s Schema) fill(ctx context.Context, url string) error {
	db, err := store.Open(ctx, store.Config{URL: url, Conns: 2, StatementTimeout: -1})
	if err != nil {
		return err
	}
	defer db.Close()
	if s.Up == nil {
		return nil
	}
	if err := s.Up(ctx, db); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return nil
}
