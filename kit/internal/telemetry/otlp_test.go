package telemetry_test

import (
	"compress/gzip"
	"encoding/pem"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/entwine-go/entwine/kit/internal/telemetry"
)

// A busy collector is asked again, with the same spans.
func TestSpansReachACollector(t *testing.T) {
	var asked []*http.Request
	var bodies []string
	c := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		asked, bodies = append(asked, r), append(bodies, string(body))
		if len(asked) < 3 {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader([]int{http.StatusServiceUnavailable, http.StatusTooManyRequests}[len(asked)-1])
		}
	}))
	defer c.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", c.URL+"/base/")
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "api-key=general")
	t.Setenv("OTEL_EXPORTER_OTLP_TRACES_HEADERS", "api-key = a%20secret ,tenant=7")
	t.Setenv("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip")
	var log strings.Builder
	traces, err := telemetry.OpenTraces(t.Context(), "entwine", "v1", slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	_, span := traces.Tracer().Start(t.Context(), "a request")
	span.End()
	if err := traces.Close(t.Context()); err != nil || log.Len() > 0 {
		t.Fatalf("Close: %v\n%s", err, log.String())
	}
	if len(asked) != 3 || bodies[0] != bodies[1] || bodies[1] != bodies[2] {
		t.Fatalf("the collector was asked %d times, or told different things", len(asked))
	}
	r := asked[2]
	if r.URL.Path != "/base/v1/traces" || r.Header.Get("Api-Key") != "a secret" || r.Header.Get("Tenant") != "7" || r.Header.Get("Content-Type") != "application/x-protobuf" {
		t.Errorf("the request: %s %v", r.URL, r.Header)
	}
	plain, err := gzip.NewReader(strings.NewReader(bodies[2]))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(plain)
	if err != nil {
		t.Fatal(err)
	}
	var got trace.TracesData
	if err := proto.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if name := got.GetResourceSpans()[0].GetScopeSpans()[0].GetSpans()[0].GetName(); name != "a request" {
		t.Errorf("the span is called %q", name)
	}
}

// A batch that a collector refuses for good is not sent again, and is logged.
func TestSpansThatAreRefused(t *testing.T) {
	asked := 0
	c := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		http.Error(w, "unknown tenant at "+r.URL.Path, http.StatusForbidden)
	}))
	defer c.Close()
	authority := t.TempDir() + "/ca.pem"
	if err := os.WriteFile(authority, pemOf(c), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", c.URL+"/mine")
	t.Setenv("OTEL_EXPORTER_OTLP_CERTIFICATE", authority)
	var log strings.Builder
	traces, err := telemetry.OpenTraces(t.Context(), "entwine", "v1", slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	_, span := traces.Tracer().Start(t.Context(), "a request")
	span.End()
	err = traces.Close(t.Context())
	if said := log.String() + errorText(err); asked != 1 || !strings.Contains(said, "403 Forbidden: unknown tenant at /mine") {
		t.Errorf("asked %d times, and said %q", asked, said)
	}
}

func TestACollectorThatIsMisspelt(t *testing.T) {
	for name, value := range map[string]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT":    "collector:4318",
		"OTEL_EXPORTER_OTLP_TIMEOUT":     "soon",
		"OTEL_EXPORTER_OTLP_HEADERS":     "hush",
		"OTEL_EXPORTER_OTLP_CERTIFICATE": "/nowhere/ca.pem",
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
			t.Setenv(name, value)
			if _, err := telemetry.OpenTraces(t.Context(), "entwine", "v1", slog.Default()); err == nil {
				t.Errorf("%s=%s is accepted", name, value)
			}
		})
	}
}

func pemOf(s *httptest.Server) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
