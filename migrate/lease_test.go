package migrate_test

import (
	"strings"
	"testing"

	atlas "ariga.io/atlas/sql/migrate"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/migrate"
)

// Processes of the version before listen without the lease of live lists: for a day writes
// are announced to them, in a database that has announced any. One that is new has none.
func TestListenersOfTheVersionBeforeHaveADay(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]string{"a database in use": "lease_live_lists", "a new database": ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := storetest.Schema{}.Postgres(t)
			want := 0
			if before != "" {
				upTo(t, db, before)
				write(t, db, "before")
				want = 2
			}
			if err := migration.Up(t.Context(), db, migrate.Files); err != nil {
				t.Fatal(err)
			}
			write(t, db, "after")
			if n := storetest.Count(t, db, "events WHERE topic = 'live.categories'"); n != want {
				t.Errorf("%d writes were announced, want %d", n, want)
			}
		})
	}
}

func write(t *testing.T, db *store.DB, name string) {
	t.Helper()
	storetest.Do(t, db, "INSERT INTO categories (name, created_at, updated_at) VALUES ($1, now(), now())", name)
}

// upTo applies the migrations before the one of the name.
func upTo(t *testing.T, db *store.DB, name string) {
	t.Helper()
	all, err := migration.Dir(migrate.Files, db.Dialect.Name())
	if err != nil {
		t.Fatal(err)
	}
	files, err := all.Files()
	if err != nil {
		t.Fatal(err)
	}
	dir := new(atlas.MemDir)
	for _, f := range files {
		if strings.Contains(f.Name(), name) {
			break
		}
		if err := dir.WriteFile(f.Name(), f.Bytes()); err != nil {
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
	if err := migration.Apply(t.Context(), db, dir); err != nil {
		t.Fatal(err)
	}
}
