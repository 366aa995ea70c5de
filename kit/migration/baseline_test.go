package migration_test

import (
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/store"
)

// A baseline is recorded where its tables are, made where none is, and refused where a part
// is. The migrations after it are applied in both cases.
func TestABaselineIsRecordedWhereItsTablesAre(t *testing.T) {
	t.Parallel()
	baseline := migration.BaselineOf("a", []string{"id", "name"}) + "\n" + migration.BaselineOf(`The "B"`, []string{"id"}) + "\n\n" +
		one + "\nCREATE TABLE \"The \"\"B\"\"\" (id bigint PRIMARY KEY);"
	dir := folder(t, baseline, two)
	for name, c := range map[string]struct{ before, refused, rows string }{
		"an empty database gets them":   {"", "", "1"},
		"a database that has them all":  {`CREATE TABLE a (id bigint PRIMARY KEY, name text, more text); CREATE TABLE "The ""B""" (id bigint PRIMARY KEY);`, "", "0"},
		"a database without one":        {`CREATE TABLE a (id bigint PRIMARY KEY, name text);`, `and not The "B", of what 1_step.sql`, ""},
		"a database without one column": {`CREATE TABLE a (id bigint PRIMARY KEY); CREATE TABLE "The ""B""" (id bigint PRIMARY KEY);`, "and not a.name, of what", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storetest.Schema{}.Each(t, func(t *testing.T, db *store.DB) {
				for _, text := range strings.SplitAfter(c.before, ";") {
					if strings.TrimSpace(text) != "" {
						storetest.Do(t, db, text)
					}
				}
				err := migration.Apply(t.Context(), db, dir)
				if c.refused != "" {
					if err == nil || !strings.Contains(err.Error(), c.refused) {
						t.Errorf("Apply: %v, want %q", err, c.refused)
					}
					status(t, db, dir, 0, 2)
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				status(t, db, dir, 2, 0)
				if n := count(t, db, "a"); (n == 1) != (c.rows == "1") {
					t.Errorf("%d rows in a, want %s", n, c.rows)
				}
				if err := migration.Apply(t.Context(), db, dir); err != nil {
					t.Errorf("Apply once more: %v", err)
				}
			})
		})
	}
}
