package statement_test

import (
	"context"
	"database/sql"
	"slices"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
)

var tables = storetest.Schema{Key: "statement 2", Up: func(ctx context.Context, db *store.DB) error {
	moment, bytes := "timestamptz", "bytea"
	if !db.Postgres() {
		moment, bytes = "datetime", "blob"
	}
	_, err := db.ExecContext(ctx, "CREATE TABLE items (id bigint PRIMARY KEY, name text, hash "+bytes+", at "+moment+" NOT NULL)")
	return err
}}

var (
	insert = statement.Of(`
		INSERT INTO items (id, name, at)
		SELECT l.id, l.name, later(l.wait) FROM list($1) AS l(id bigint, name text, wait float8) WHERE $2::boolean`)
	put    = statement.Of(`INSERT INTO items (id, at) VALUES ($1, $2)`)
	lock   = statement.Of(`SELECT name FROM items WHERE at <= now() ORDER BY id FOR UPDATE SKIP LOCKED`)
	age    = statement.Of(`SELECT since(at) FROM items WHERE id = $1`)
	dateOf = statement.Of(`SELECT day(items.at) FROM items WHERE id = $1`)
	later  = statement.Of(`UPDATE items SET at = later($2) WHERE id = $1 AND at <= now()`)
)

func TestOneTextMeansTheSameOnBothDatabases(t *testing.T) {
	t.Parallel()
	tables.Each(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		rows := `[{"id":1,"name":"past","wait":-60.5},{"id":2,"name":"past too","wait":-1},{"id":3,"name":"future","wait":3600}]`
		if n, err := insert.Exec(ctx, db, rows, true); n != 3 || err != nil {
			t.Fatalf("insert: %d, %v", n, err)
		}
		eve := time.Date(1999, 12, 31, 23, 59, 59, 999999000, time.UTC)
		if _, err := put.Exec(ctx, db, 4, eve.In(time.FixedZone("east", 3600))); err != nil {
			t.Fatal(err)
		}
		var names []string
		err := lock.Query(ctx, db, func(rows *sql.Rows) error {
			var name sql.NullString
			err := rows.Scan(&name)
			names = append(names, name.String)
			return err
		})
		if err != nil || !slices.Equal(names, []string{"past", "past too", ""}) {
			t.Errorf("what is past: %q, %v", names, err)
		}
		var seconds float64
		if found, err := age.Row(ctx, db, []any{&seconds}, 1); !found || err != nil || seconds < 60.4 {
			t.Errorf("the first is %v s old (%v, %v), want at least 60.5", seconds, found, err)
		}
		if found, err := age.Row(ctx, db, []any{&seconds}, 5); found || err != nil {
			t.Errorf("a row that is absent: %v, %v", found, err)
		}
		var date string
		if _, err := dateOf.Row(ctx, db, []any{&date}, 4); err != nil || date != "1999-12-31" {
			t.Errorf("the day of %v is %q (%v)", eve, date, err)
		}
		if n, err := later.Exec(ctx, db, 1, 60.0); n != 1 || err != nil {
			t.Errorf("later: %d, %v", n, err)
		}
		if n, err := later.Exec(ctx, db, 1, 60.0); n != 0 || err != nil {
			t.Errorf("later, of what is in the future: %d, %v", n, err)
		}
	})
}

var (
	mark = statement.Of(`INSERT INTO items (id, hash, at) VALUES ($1, $2, now())`)
	one  = statement.Of(`SELECT id FROM items WHERE id = $1 AND hash IN ($more)`)
	some = statement.Of(`SELECT count(*) FROM items WHERE hash IN ($more)`)
)

func TestMoreArgumentsFollowTheOthers(t *testing.T) {
	t.Parallel()
	tables.Each(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		for i, hash := range []string{"a", "b"} {
			if _, err := mark.Exec(ctx, db, i+1, []byte(hash)); err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range []struct {
			values [][]byte
			found  bool
			count  int
		}{
			{[][]byte{[]byte("a")}, true, 1},
			{[][]byte{[]byte("b")}, false, 1},
			{[][]byte{[]byte("b"), []byte("c"), []byte("a")}, true, 2},
		} {
			var id int
			text, more := one.More(1, c.values...)
			if found, err := text.Row(ctx, db, []any{&id}, append([]any{1}, more...)...); found != c.found || err != nil {
				t.Errorf("%s: %v, %v", c.values, found, err)
			}
			var count int
			text, more = some.More(0, c.values...)
			if _, err := text.Row(ctx, db, []any{&count}, more...); count != c.count || err != nil {
				t.Errorf("%s: %d, %v", c.values, count, err)
			}
		}
	})
}
