package migration_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/store"
)

// A program is not ready while another version has renamed what it reads, and is again
// once that is undone.
func TestAProgramFitsTheDatabase(t *testing.T) {
	t.Parallel()
	storetest.Schema{}.Each(t, func(t *testing.T, db *store.DB) {
		fit := &migration.Fit{DB: db, Tables: map[string][]string{"a": {"id", "name"}}}
		if err := fit.Check(t.Context()); err != nil {
			t.Fatalf("a database that was never migrated: %v", err)
		}
		files := []string{one, two}
		up := func(want string, more ...string) {
			t.Helper()
			files = append(files, more...)
			if err := migration.Apply(t.Context(), db, folder(t, files...)); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				err := fit.Check(t.Context())
				if want == "" && err != nil || want != "" && (!errors.Is(err, migration.ErrUnfit) || !strings.HasSuffix(err.Error(), want)) {
					t.Errorf("%v, want %q", err, want)
				}
			}
		}
		up("")
		up("", "ALTER TABLE b ADD COLUMN more text;")
		up(": a.name", "ALTER TABLE a RENAME COLUMN name TO title;")
		up("", "ALTER TABLE a RENAME COLUMN title TO name;")
		up(": the table a", "ALTER TABLE a RENAME TO c;")
	})
}
