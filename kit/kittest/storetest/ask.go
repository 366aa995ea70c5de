package storetest

import (
	"database/sql"
	"testing"

	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// Ask returns the one column that the query selects, in its order: for the tables
// that Ent's client leaves out. The text is as [statement.Of] takes it.
func Ask[T any](t testing.TB, db *store.DB, query string, args ...any) (all []T) {
	t.Helper()
	err := statement.Of(query).Query(t.Context(), db, func(rows *sql.Rows) error {
		var one T
		err := rows.Scan(&one)
		all = append(all, one)
		return err
	}, args...)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return all
}

// Count returns how many rows there are FROM the tables: "credentials WHERE user_id = $1".
func Count(t testing.TB, db *store.DB, from string, args ...any) int {
	t.Helper()
	return Ask[int](t, db, "SELECT COUNT(*) FROM "+from, args...)[0]
}

// Do changes rows.
func Do(t testing.TB, db *store.DB, text string, args ...any) {
	t.Helper()
	if _, err := statement.Of(text).Exec(t.Context(), db, args...); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}
