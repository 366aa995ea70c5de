package migrate_test

import (
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/squawktest"
	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/migrate"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

func TestFilesMatchTheirSum(t *testing.T) {
	t.Parallel()
	for _, dialectName := range []string{"postgres", "sqlite3"} {
		if _, err := migration.Dir(migrate.Files, dialectName); err != nil {
			t.Error(err)
		}
	}
}

func TestUpOfWhatIsEmbedded(t *testing.T) {
	t.Parallel()
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		if err := migration.Up(t.Context(), db, migrate.Files); err != nil {
			t.Fatal(err)
		}
		if r, err := migration.Status(t.Context(), db, migrate.Files); err != nil || len(r.Pending) != 0 {
			t.Errorf("Status: %+v, %v, want nothing pending", r, err)
		}
	})
}

// entwine migrate status has words for each statement.
func TestWhatMigrationsDoIsKnown(t *testing.T) {
	t.Parallel()
	for _, dialectName := range []string{"postgres", "sqlite3"} {
		dir, err := migration.Dir(migrate.Files, dialectName)
		if err != nil {
			t.Fatal(err)
		}
		files, err := dir.Files()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			all, err := migration.Effects(f, dialectName)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range all {
				if strings.HasPrefix(e.Words, "run ") {
					t.Errorf("%s %s: %s", dialectName, f.Name(), e.Words)
				}
			}
		}
	}
}

// liveSince is the last migration from before those of tables that are read and
// written meanwhile.
const liveSince = "20261122160502"

// Migrations written from now on are checked by another tool as well.
func TestSquawkHasNothingAgainstThem(t *testing.T) {
	t.Parallel()
	dir, err := migration.Dir(migrate.Files, "postgres")
	if err != nil {
		t.Fatal(err)
	}
	files, err := dir.Files()
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, f := range files {
		if f.Version() > liveSince {
			texts[f.Name()] = string(f.Bytes())
		}
	}
	squawktest.Judge(t, texts, squawktest.Explained{
		Rule: "ban-drop-table", In: []string{"20261123182459_"},
		Why: "the words were made of rows, and told of those that a caller can't read",
	})
}
