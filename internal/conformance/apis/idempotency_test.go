package apis_test

import (
	"fmt"
	"strings"
	"testing"
)

// kept are the records of Idempotency-Keys.
func (f *front) kept() (records int, bytes int64) {
	f.Helper()
	rows, err := f.db.QueryContext(f.Context(), `SELECT COUNT(*), COALESCE(SUM(LENGTH(body)), 0) FROM idempotency_records`)
	if err != nil {
		f.Fatal(err)
	}
	defer rows.Close()
	rows.Next()
	if err := rows.Scan(&records, &bytes); err != nil {
		f.Fatal(err)
	}
	return records, bytes
}

// One caller once had 98 answers to searches stored, each of a megabyte: a
// read is kept nowhere, and of a write its row is.
func TestWhatKeysStore(t *testing.T) {
	eachFront(t, func(f *front) {
		grace, _ := f.admin("grace")
		content := strings.Repeat("x", 10_000)
		for i := range 98 {
			grace.ask("POST", "/api/v1/posts", fmt.Sprintf(`{"title":"Post %d","content":"%s"}`, i, content), "Idempotency-Key", fmt.Sprint("post-", i)).want(201)
		}
		if records, bytes := f.kept(); records != 98 || bytes != 0 {
			f.Errorf("98 posts of %d bytes: %d records with %d bytes", len(content), records, bytes)
		}
		for i := range 98 {
			a := grace.ask("POST", "/api/v1/users/search?expand=posts", `{"limit":100}`, "Idempotency-Key", fmt.Sprint("search-", i)).want(200)
			if len(a.text) < 98*len(content) || a.header.Get("Idempotency-Replayed") != "" {
				f.Fatalf("a search has %d bytes", len(a.text))
			}
			grace.graphql(`query Read($key: String) { users { data: id } me(key: $key) { id } }`, "key", "search") // whatever it says, it reads
		}
		if records, bytes := f.kept(); records != 98 || bytes != 0 {
			f.Errorf("98 searches left %d records with %d bytes", records-98, bytes)
		}
	})
}
