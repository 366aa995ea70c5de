package graph_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"github.com/entwine-go/entwine/kit/graph"
	"github.com/entwine-go/entwine/kit/graph/plan"
	"github.com/entwine-go/entwine/kit/read"
)

// silent is an answer that is not kept.
type silent struct{ header http.Header }

func (s silent) Header() http.Header       { return s.header }
func (silent) WriteHeader(int)             {}
func (silent) Write(b []byte) (int, error) { return len(b), nil }

// BenchmarkRequest measures the cost of a request without its reads.
func BenchmarkRequest(b *testing.B) {
	c := config(newService("noted", notesSDL), notes)
	c.Plans = map[string]plan.Root{"note": func(p *plan.Planner, f graphql.CollectedField) (plan.Read, error) {
		_ = p.Arguments(f)
		return func(_ context.Context, _ *read.Reader, dst []byte) ([]byte, read.Info, error) {
			return append(dst, `{"title":"A note"}`...), read.Info{Count: 1, Members: 1}, nil
		}, nil
	}}
	api := graph.New(c)
	for name, body := range map[string]string{
		"literals":  `{"query":"{ note(id: \"77\") { title } }"}`,
		"variables": `{"query":"query Note($id: ID!) { note(id: $id) { title } }","operationName":"Note","variables":{"id":"77"}}`,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			text := strings.NewReader(body)
			r, err := http.NewRequestWithContext(b.Context(), http.MethodPost, "/graphql", text)
			if err != nil {
				b.Fatal(err)
			}
			r.Header.Set("Content-Type", "application/json")
			w := silent{http.Header{}}
			for b.Loop() {
				text.Reset(body)
				api.ServeHTTP(w, r)
			}
		})
	}
}
