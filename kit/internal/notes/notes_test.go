package notes_test

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/entwine-go/entwine/kit/internal/notes"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/store"
)

// The kit's tables are here what they are in the service of this repository,
// so that what the kit's tests show holds there.
func TestTheKitsTablesAreThoseOfTheService(t *testing.T) {
	t.Parallel()
	service := storetest.Migrated(t, os.DirFS("../../../migrate"))
	for name, open := range map[string]func(storetest.Schema) *store.DB{
		"sqlite":   func(s storetest.Schema) *store.DB { return s.SQLite(t) },
		"postgres": func(s storetest.Schema) *store.DB { return s.Postgres(t) },
	} {
		mine, theirs := open(notes.Schema), open(service)
		for _, table := range []string{"events", "emails", "trusted_documents", "idempotency_records", "jobs", "job_chunks"} {
			got, want := columns(t, mine, table), columns(t, theirs, table)
			if !slices.Equal(got, want) {
				t.Errorf("%s: %s has the columns\n%v, in migrate/ it has\n%v", name, table, got, want)
			}
		}
	}
}

// columns lists the names of a table's columns and whether they can be null.
func columns(t *testing.T, db *store.DB, table string) (all []string) {
	t.Helper()
	query := `SELECT name, "notnull" = 0 FROM pragma_table_info('` + table + `') ORDER BY name`
	if db.Postgres() {
		query = `SELECT column_name, is_nullable = 'YES' FROM information_schema.columns WHERE table_name = '` + table + `' ORDER BY column_name COLLATE "C"`
	}
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		var nullable bool
		if err := rows.Scan(&name, &nullable); err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprintf("%s nullable=%v", name, nullable))
	}
	return all
}
