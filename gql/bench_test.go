package gql_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/kit/graph"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// sink takes an answer without keeping it.
type sink struct{ header http.Header }

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) Write(b []byte) (int, error) { return len(b), nil }
func (s *sink) WriteHeader(int)             {}

func BenchmarkQueries(b *testing.B) {
	schema := migratetest.Schema(b)
	for name, address := range map[string]func(testing.TB) string{"sqlite": schema.SQLiteURL, "postgres": schema.PostgresURL} {
		b.Run(name, func(b *testing.B) {
			db, err := store.Open(b.Context(), store.Config{URL: address(b)})
			if err != nil {
				b.Fatal(err)
			}
			defer db.Close()
			benchmarkQueries(b, db)
		})
	}
}

func benchmarkQueries(b *testing.B, db *store.DB) {
	client := orm.Client(db)
	ctx := viewer.With(b.Context(), viewer.System())
	for i := range 5 {
		client.User.Create().SetName(fmt.Sprintf("User %d", i)).SetEmail(fmt.Sprintf("u%d@example.com", i)).SaveX(ctx)
	}
	for range 20 {
		p := client.Post.Create().SetTitle("Title").SetContent("Content").SetAuthorID(1).SetPublished(true).SaveX(ctx)
		for range 5 {
			client.Comment.Create().SetText("Text").SetAuthorID(2).SetPost(p).SaveX(ctx)
		}
	}
	h := over(b, db, graph.Options{Logger: slog.New(slog.DiscardHandler)})
	var first struct {
		Data struct {
			Posts struct{ PageInfo struct{ EndCursor string } } `json:"postsConnection"`
		}
	}
	begun := httptest.NewRecorder()
	h.ServeHTTP(begun, httptest.NewRequest(http.MethodGet, "/graphql?query="+url.QueryEscape(`{ postsConnection(first: 5) { pageInfo { endCursor } } }`), http.NoBody))
	if err := json.Unmarshal(begun.Body.Bytes(), &first); err != nil || first.Data.Posts.PageInfo.EndCursor == "" {
		b.Fatalf("%v: %s", err, begun.Body)
	}
	for name, query := range map[string]string{
		"typename": `{ __typename }`,
		"one":      `{ user(id: 1) { id name email role age createdAt } }`,
		"list":     `{ usersConnection(first: 20, where: {nameHasPrefix: "User"}) { totalCount nodes { id name email } pageInfo { hasNextPage endCursor } } }`,
		"page":     `{ postsConnection(first: 15, after: "` + first.Data.Posts.PageInfo.EndCursor + `") { pageInfo { hasNextPage endCursor } edges { node { id title content published publishedAt archivedAt likesCount sharesCount authorId categoryId createdAt updatedAt version deletedAt } } } }`,
		"nested":   `{ postsConnection(first: 20) { nodes { id title author { name } comments(first: 5) { text author { name } } } } }`,
	} {
		b.Run(name, func(b *testing.B) {
			body, _ := json.Marshal(map[string]any{"query": query})
			ctx := viewer.With(b.Context(), &viewer.Viewer{UserID: 1, Role: "user"})
			b.ReportAllocs()
			for b.Loop() {
				r := httptest.NewRequest(http.MethodPost, "/graphql", bytes.NewReader(body)).WithContext(ctx)
				r.Header.Set("Content-Type", "application/json")
				h.ServeHTTP(&sink{header: http.Header{}}, r)
			}
		})
	}
}
