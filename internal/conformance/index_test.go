package conformance_test

import (
	"context"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/entity"
	kitentity "github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/rest/params"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// crowd makes n users by SQL alone, every eighth of them an editor, and lets
// the database know how many there are.
func crowd(t *testing.T, db *store.DB, n string) {
	t.Helper()
	series, at, settled := `generate_series(1, `+n+`) AS s(n)`, `timestamptz '2026-01-01' + n * interval '1 second'`, "VACUUM ANALYZE users"
	if !db.Postgres() {
		series = `(WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ` + n + `) SELECT n FROM c)`
		at, settled = `strftime('%Y-%m-%d %H:%M:%S', '2026-01-01', '+' || n || ' seconds') || '.000000+00:00'`, "ANALYZE"
	}
	conn, err := db.Session(t.Context()) // however long it takes
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for _, text := range []string{
		`INSERT INTO users (name, name_fold, email, email_fold, role, created_at, updated_at)
			SELECT 'User ' || n, 'user ' || n, 'u' || n || '@example.com', 'u' || n || '@example.com', CASE WHEN n % 8 = 0 THEN 'editor' ELSE 'user' END, ` + at + `, ` + at + ` FROM ` + series,
		settled,
	} {
		if _, err := conn.ExecContext(t.Context(), text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
}

// planOf runs a listing for the system and returns how the database goes about
// its first statement.
func planOf(t *testing.T, db *store.DB, e *kitentity.Entity, parameters string, settings ...string) string {
	t.Helper()
	return explained(t, db, statementOf(t, db, e, parameters), settings...)
}

// statementOf runs a listing for the system and returns its first statement.
func statementOf(t *testing.T, db *store.DB, e *kitentity.Entity, parameters string) string {
	t.Helper()
	var log store.Log
	ctx := store.WithStatementLog(viewer.With(t.Context(), viewer.System()), &log)
	values, err := url.ParseQuery(parameters)
	if err != nil {
		t.Fatal(err)
	}
	p, err := params.Parse(ctx, e, values, params.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := &read.Reader{DB: db, Dialect: db.Dialect}
	if _, _, err := r.Page(ctx, nil, p.Selection, p.Query); err != nil {
		t.Fatal(err)
	}
	return log.Statements()[0]
}

// explained is the plan of a statement whose arguments are not known: the one
// that a prepared statement has for all of them.
func explained(t *testing.T, db *store.DB, text string, settings ...string) (plan string) {
	t.Helper()
	err := db.InTx(t.Context(), func(ctx context.Context) error {
		explain, args := "EXPLAIN QUERY PLAN "+text, make([]any, parameters(text))
		if db.Postgres() {
			explain = "EXPLAIN EXECUTE explained"
			if len(args) > 0 {
				explain += "(" + strings.TrimSuffix(strings.Repeat("NULL,", len(args)), ",") + ")"
			}
			args = nil
			for _, s := range append([]string{"SET LOCAL plan_cache_mode = force_generic_plan", "PREPARE explained AS " + text}, settings...) {
				if _, err := db.ExecContext(ctx, s); err != nil {
					return err
				}
			}
		}
		rows, err := db.QueryContext(ctx, explain, args...)
		if err != nil {
			return err
		}
		plan = lines(t, rows)
		_ = rows.Close()
		if db.Postgres() {
			_, err = db.ExecContext(ctx, "DEALLOCATE explained")
		}
		return err
	})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return plan
}

// parameters counts the arguments of a statement, each of which has a number.
func parameters(text string) (n int) {
	for strings.Contains(text, "$"+strconv.Itoa(n+1)) || strings.Contains(text, "?"+strconv.Itoa(n+1)) {
		n++
	}
	return n
}

// A filter by what the schema calls selective is served by an index, and its
// total by the index alone.
func TestASelectiveFilterIsCountedInItsIndex(t *testing.T) {
	t.Parallel()
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		crowd(t, db, "20000")
		plan := planOf(t, db, entity.User, "role=editor")
		if filtered := statementOf(t, db, entity.User, "role=editor&is_active=true"); db.Postgres() && parameters(filtered) > 0 {
			t.Errorf("what is planned anew for each call costs more than its page, %s", filtered)
		}
		count := "COVERING INDEX user_by_role"
		if db.Postgres() {
			count = "Index Only Scan using user_by_role"
		}
		if !strings.Contains(plan, count) {
			t.Errorf("the total of a role is not counted in the index:\n%s", plan)
		}
		if strings.Contains(plan, "Seq Scan on users") || strings.Contains(plan, "SCAN t") || strings.Contains(plan, "Sort") || strings.Contains(plan, "TEMP B-TREE") {
			t.Errorf("the page of a role reads or sorts more than it shows:\n%s", plan)
		}
	})
}
