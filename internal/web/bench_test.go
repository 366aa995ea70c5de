package web_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"github.com/entwine-go/entwine/internal/config"
	"github.com/entwine-go/entwine/internal/ratelimit"
	"github.com/entwine-go/entwine/internal/telemetry"
	"github.com/entwine-go/entwine/internal/viewer"
	"github.com/entwine-go/entwine/internal/web"
)

// known is an authenticator that has seen every token.
type known struct{ fakeAuth }

var ada = &viewer.Viewer{UserID: 5, Role: viewer.User}

func (known) Token(context.Context, string) (*viewer.Viewer, error) { return ada, nil }

// sink is a response writer that costs nothing.
type sink struct{ header http.Header }

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) Write(b []byte) (int, error) { return len(b), nil }
func (s *sink) WriteHeader(int)             {}

// exchanges returns a function that sends a request with a known token
// through the edge, its line in the log included.
func exchanges() func() {
	edge, _ := newEdge()
	edge.Log = telemetry.NewLogger(io.Discard, slog.LevelInfo, true)
	edge.Auth = known{}
	edge.Limit.Rate = config.Rate{Count: 1 << 30, Window: time.Minute, Algorithm: ratelimit.Sliding}
	edge.Limiter = new(ratelimit.Memory)
	edge.Gate = &web.Gate{Least: 64, Most: 1000, Wait: time.Second}
	h := edge.Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }))
	r := get("/api/v1/posts?page=2", "Authorization", "Bearer good")
	r.Body = http.NoBody // as the server makes it
	w := &sink{header: http.Header{}}
	return func() {
		clear(w.header)
		h.ServeHTTP(w, r)
	}
}

func BenchmarkEdge(b *testing.B) {
	exchange := exchanges()
	b.ReportAllocs()
	for b.Loop() {
		exchange()
	}
}
