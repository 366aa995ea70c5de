package web_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"testing"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/trace"

	"github.com/entwine-go/entwine/kit/config"
	"github.com/entwine-go/entwine/kit/internal/telemetry"
	"github.com/entwine-go/entwine/kit/ratelimit"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/web"
)

// known is an authenticator that has seen every token.
type known struct{ fakeAuth }

var ada = &viewer.Viewer{UserID: 5, Role: "user"}

func (known) Token(context.Context, string) (*viewer.Viewer, error) { return ada, nil }

// sink is a response writer that costs nothing.
type sink struct{ header http.Header }

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) Write(b []byte) (int, error) { return len(b), nil }
func (s *sink) WriteHeader(int)             {}

// exchanges returns a function that sends a request with a known token
// through the edge, its line in the log included.
func exchanges(o web.Observer, unlogged int) func() {
	edge, _ := newEdge()
	edge.Unlogged = unlogged
	edge.Log = telemetry.NewLogger(io.Discard, slog.LevelInfo, true)
	edge.Auth = known{}
	edge.Observer = o
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
	for name, o := range map[string]web.Observer{"unobserved": nil, "counted": counting(), "traced": tracing()} {
		b.Run(name, func(b *testing.B) {
			exchange := exchanges(o, 0)
			b.ReportAllocs()
			for b.Loop() {
				exchange()
			}
		})
	}
	b.Run("unlogged", func(b *testing.B) {
		exchange := exchanges(nil, 100)
		b.ReportAllocs()
		for b.Loop() {
			exchange()
		}
	})
}

// counting observes as a process does whose metrics are read.
func counting() web.Observer {
	return (&telemetry.Telemetry{Metrics: telemetry.NewMetrics("test")}).Requests()
}

// tracing observes as a process does whose spans go nowhere.
func tracing() web.Observer {
	return (&telemetry.Telemetry{Tracer: sdk.NewTracerProvider().Tracer("test")}).Requests()
}

// BenchmarkCompression answers with a list of 20 items: what a client pays that
// asks for nothing, and one that does.
func BenchmarkCompression(b *testing.B) {
	list := []byte(`{"status":"success","data":[`)
	for i := range 20 {
		list = fmt.Appendf(list, `{"id":%d,"title":"Post %d","content":"%x","published":true,"likes_count":%d,"created_at":"2026-01-02T03:04:05.%06dZ"},`,
			i, i*7919, sha256.Sum256([]byte{byte(i)}), i*i, i*104729%1000000)
	}
	length, media := []string{strconv.Itoa(len(list))}, []string{"application/json"}
	for _, accept := range []string{"", "gzip", "zstd"} {
		b.Run("as "+accept, func(b *testing.B) {
			edge, _ := newEdge()
			edge.Log = slog.New(slog.DiscardHandler)
			h := edge.Open(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header()["Content-Length"], w.Header()["Content-Type"] = length, media
				w.WriteHeader(http.StatusOK)
				_, _ = w.Write(list)
			}))
			r := get("/api/v1/posts")
			if accept != "" {
				r.Header.Set("Accept-Encoding", accept)
			}
			w := &sink{header: http.Header{}}
			b.ReportAllocs()
			for b.Loop() {
				clear(w.header)
				h.ServeHTTP(w, r)
			}
			b.ReportMetric(float64(len(list)), "bytes/plain")
		})
	}
}
