package database_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/entwine-go/entwine/kit/codegen/planner"
	"github.com/entwine-go/entwine/kit/store"
)

// found is a query for the rows that full-text search finds.
func found(table, word string) string { return "search " + table + " " + word }

// queryOf is the query as the database understands it.
func queryOf(db *store.DB, query string) string {
	words := strings.Fields(query)
	if words[0] != "search" {
		return query
	}
	if db.Postgres() {
		return `SELECT CAST(id AS text) FROM ` + words[1] + ` WHERE search_document @@ to_tsquery('simple', '` + words[2] + `') ORDER BY id`
	}
	return `SELECT CAST(rowid AS text) FROM search_` + words[1] + ` WHERE search_` + words[1] + ` MATCH '` + words[2] + `' ORDER BY rowid`
}

// plain are the migrations of the world as it begins for most changes.
var plain struct {
	sync.Once
	files map[string][]byte
}

// begin are the migrations of what the change begins with.
func begin(t *testing.T, c change) string {
	t.Helper()
	if c.before == nil {
		plain.Do(func() {
			root := repository(t)
			if _, err := planner.Diff(t.Context(), root, "first", newWorld().schema(t), planner.Allow{}); err != nil {
				t.Fatal(err)
			}
			plain.files = map[string][]byte{}
			for _, pattern := range []string{"*/*", "*.sum"} {
				paths, _ := fs.Glob(os.DirFS(root), pattern)
				for _, path := range paths {
					plain.files[path], _ = os.ReadFile(filepath.Join(root, path))
				}
			}
		})
		root := repository(t)
		for path, text := range plain.files {
			if err := os.WriteFile(filepath.Join(root, path), text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return root
	}
	w := newWorld()
	c.before(w)
	root := repository(t)
	if _, err := planner.Diff(t.Context(), root, "first", w.schema(t), planner.Allow{}); err != nil {
		t.Fatal(err)
	}
	return root
}

func (c change) wanted(t *testing.T) planner.Schema {
	t.Helper()
	w := newWorld()
	c.after(w)
	return w.schema(t)
}
