package store_test

import (
	"database/sql"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/store"
)

func TestTimesAreTheSameOnBothDatabases(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("", 2*60*60)
	early := time.Date(2024, 5, 1, 1, 59, 59, 999_999_999, zone) // 23:59 the day before, in UTC
	late := time.Date(2024, 5, 1, 0, 0, 0, 120_000_000, time.UTC)
	items.Each(t, func(t *testing.T, db *store.DB) {
		exec(t, t.Context(), db, "INSERT INTO items (name, at) VALUES ($1, $2)", "late", &late)
		exec(t, t.Context(), db, "INSERT INTO items (name, at) VALUES ($1, $2)", "early", early)
		exec(t, t.Context(), db, "INSERT INTO items (name, at) VALUES ($1, $2)", "never", sql.NullTime{})
		for query, want := range map[string]time.Time{
			"SELECT at FROM items WHERE name = 'early'":                                time.Date(2024, 4, 30, 23, 59, 59, 999_999_000, time.UTC),
			"SELECT max(at) FROM items":                                                late,
			"SELECT at FROM items WHERE at IS NOT NULL ORDER BY at LIMIT 1":            store.Time(early),
			"SELECT a FROM (SELECT max(at) AS a FROM items) AS x":                      late,
			"UPDATE items SET size = 1 WHERE name = 'late' RETURNING at":               late,
			"INSERT INTO items (name, at) SELECT 'x', max(at) FROM items RETURNING at": late,
		} {
			var got any
			scan(t, t.Context(), db, query, &got)
			if at, ok := got.(time.Time); !ok || at != want {
				t.Errorf("%s = %#v, want %#v", query, got, want)
			}
		}
	})
}

func TestYearsThatDoNotFitAreRefused(t *testing.T) {
	t.Parallel()
	items.Each(t, func(t *testing.T, db *store.DB) {
		for _, year := range []int{0, 10_000} {
			at := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
			if _, err := db.ExecContext(t.Context(), "INSERT INTO items (name, at) VALUES ('x', $1)", at); err == nil {
				t.Errorf("the year %d was stored", year)
			}
		}
	})
}

func TestSQLiteNowIsATime(t *testing.T) {
	t.Parallel()
	db := items.SQLite(t)
	before := store.Time(time.Now())
	exec(t, t.Context(), db, "INSERT INTO items (name, at) VALUES ('now', "+store.SQLiteNow+")")
	after := time.Now()
	var at time.Time
	scan(t, t.Context(), db, "SELECT at FROM items WHERE at <= "+store.SQLiteNow, &at)
	if at.Location() != time.UTC || at.Before(before) || at.After(after) { // to the microsecond
		t.Errorf("%s = %v, want %v to %v", store.SQLiteNow, at, before, after)
	}
}
