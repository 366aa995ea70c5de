package rest_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/migration"

	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/migrate"
)

// What REST adds to reading and writing is seen beside package read's own
// benchmark of the same page.
func BenchmarkREST(b *testing.B) {
	db, err := store.Open(b.Context(), store.Config{URL: "sqlite://" + filepath.Join(b.TempDir(), "bench.db")})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	if err := migration.Up(b.Context(), db, migrate.Files); err != nil {
		b.Fatal(err)
	}
	w := newWorld(b, db)
	var id int64
	for i := range 100 {
		id = w.post(w.ada, fmt.Sprintf("Post %d", i), true)
	}
	for _, c := range []struct{ name, method, path, body string }{
		{"get one", "GET", fmt.Sprintf("/api/v1/posts/%d", id), ""},
		{"list 20", "GET", "/api/v1/posts?page=1", ""},
		{"list 20 in v2", "GET", "/api/v2/posts?page=1", ""},
		{"list 20 in v3", "GET", "/api/v3/posts?page=1", ""},
		{"list 20 by cursor", "GET", "/api/v1/posts?cursor=", ""},
		{"create a comment", "POST", fmt.Sprintf("/api/v1/posts/%d/comments", id), `{"text":"I could not agree more."}`},
		{"patch a post", "PATCH", fmt.Sprintf("/api/v1/posts/%d", id), `{"title":"New"}`},
		{"a bad body", "POST", "/api/v1/posts", `{"title":5}`},
		{"one unchanged", "GET", fmt.Sprintf("/api/v1/posts/%d", id), ""},
		{"list unchanged", "GET", "/api/v1/posts?page=1", ""},
	} {
		b.Run(c.name, func(b *testing.B) {
			ctx := viewer.With(context.Background(), w.ada)
			tag := ""
			if strings.HasSuffix(c.name, "unchanged") {
				first := httptest.NewRecorder()
				w.handler.ServeHTTP(first, httptest.NewRequestWithContext(ctx, c.method, c.path, http.NoBody))
				tag = first.Header().Get("Etag")
			}
			b.ReportAllocs()
			for b.Loop() {
				r := httptest.NewRequestWithContext(ctx, c.method, c.path, strings.NewReader(c.body))
				r.Header.Set("Content-Type", "application/json")
				if tag != "" {
					r.Header.Set("If-None-Match", tag)
				}
				w.handler.ServeHTTP(&discard{header: http.Header{}}, r)
			}
		})
	}
}

// discard is a response writer that costs nothing.
type discard struct{ header http.Header }

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) Write(b []byte) (int, error) { return len(b), nil }
func (d *discard) WriteHeader(int)             {}
