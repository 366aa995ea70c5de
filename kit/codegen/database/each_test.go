package database_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"entgo.io/ent/dialect"

	"github.com/entwine-go/entwine/kit/codegen/planner"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/store"
)

// TestEveryKindOfChange makes each change on tables with rows, on both
// databases.
func TestEveryKindOfChange(t *testing.T) { //nolint:tparallel // squawk looks at what the others have written
	t.Parallel()
	written := &judged{files: map[string]string{}}
	t.Run("each", func(t *testing.T) { eachChange(t, written) })
	t.Run("squawk", written.bySquawk)
}

func eachChange(t *testing.T, all *judged) {
	t.Helper()
	for _, c := range corpus() {
		t.Run(strconv.Itoa(c.kind)+" "+c.name, func(t *testing.T) {
			t.Parallel()
			old := begin(t, c)
			next := copied(t, old)
			wanted := c.wanted(t)
			written, err := planner.Diff(t.Context(), next, "second", wanted, planner.Allow{Drop: c.drop, Accept: c.accept})
			if c.refused != "" {
				if err == nil || !strings.Contains(err.Error(), c.refused) {
					t.Fatalf("weave migrate diff: %v, want %q", err, c.refused)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			contract(t, next)
			all.add(t, strconv.Itoa(c.kind)+" "+c.name, next)
			if err := migration.Matches(os.DirFS(next), c.wanted(t).Digest(), dialect.Postgres); err != nil {
				t.Error(err)
			}
			if c.none && len(written) > 0 {
				text, _ := os.ReadFile(written[0])
				t.Fatalf("there is a migration:\n%s", text)
			}
			if c.none {
				return
			}
			if left, err := planner.Lint(t.Context(), next, ""); err != nil || len(findings(left)) > 0 {
				t.Errorf("weave migrate lint: %v, %v", findings(left), err)
			}
			storetest.Schema{}.Each(t, func(t *testing.T, db *store.DB) { c.run(t, db, old, next) })
		})
	}
}

// contract ends what the last migration has left for programs from before it.
func contract(t *testing.T, root string) {
	t.Helper()
	if _, err := planner.Contract(t.Context(), root, "contract"); err != nil {
		t.Fatal(err)
	}
}

func findings(all []planner.Finding) (left []planner.Finding) {
	for _, f := range all {
		if !f.Note {
			left = append(left, f)
		}
	}
	return left
}

func (c change) fill(t *testing.T, db *store.DB, old string) {
	t.Helper()
	if err := apply(t.Context(), db, old); err != nil {
		t.Fatal(err)
	}
	if c.rows == nil {
		exec(t, db, rows...)
	} else {
		exec(t, db, c.rows...)
	}
	if strings.Contains(c.name, "rename a") { // what the service writes beside the texts
		for _, column := range []string{"name", "email"} {
			if read(t, db, columnCount(db, "authors", column+"_fold")) == "1" {
				exec(t, db, `UPDATE authors SET `+column+`_fold = CASE id WHEN 2 THEN replace(lower(`+column+`), 'Ä', 'ä') ELSE lower(`+column+`) END`)
			}
		}
	}
}

func columnCount(db *store.DB, table, column string) string {
	if db.Postgres() {
		return `SELECT CAST(count(*) AS text) FROM information_schema.columns WHERE table_name = '` + table + `' AND column_name = '` + column + `'`
	}
	return `SELECT CAST(count(*) AS text) FROM pragma_table_info('` + table + `') WHERE name = '` + column + `'`
}

func (c change) run(t *testing.T, db *store.DB, old, next string) {
	c.fill(t, db, old)
	err := apply(t.Context(), db, next)
	if c.fails != "" {
		if err == nil || !strings.Contains(err.Error(), c.fails) {
			t.Fatalf("Apply: %v, want %q", err, c.fails)
		}
		exec(t, db, c.mend...)
		err = apply(t.Context(), db, next)
	}
	if err != nil {
		t.Fatal(err)
	}
	c.check(t, db)
}

// check checks the rows, what the database refuses, and what its triggers do.
func (c change) check(t *testing.T, db *store.DB) {
	t.Helper()
	has := func(want map[string]string) {
		t.Helper()
		for query, want := range want {
			if got := read(t, db, queryOf(db, query)); got != want {
				t.Errorf("%s: %q, want %q", query, got, want)
			}
		}
	}
	has(c.want)
	for _, statement := range c.breaks {
		if _, err := db.ExecContext(t.Context(), statement); err == nil {
			t.Errorf("%s: the database lets it pass", statement)
		}
	}
	exec(t, db, c.then...)
	has(c.wantThen)
}
