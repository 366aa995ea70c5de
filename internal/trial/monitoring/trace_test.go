package monitoring_test

import (
	"bytes"
	hexadecimal "encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall"
	"testing"

	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// collected is a collector of traces.
type collected struct {
	*httptest.Server

	mu    sync.Mutex
	raw   []byte
	spans []*trace.Span
	more  chan struct{} // receives when there are more spans
}

func collect(t *testing.T) *collected {
	c := &collected{more: make(chan struct{}, 1)}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var got trace.TracesData
		if err != nil || r.URL.Path != "/v1/traces" || proto.Unmarshal(body, &got) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		c.mu.Lock()
		c.raw = append(c.raw, body...)
		for _, resource := range got.GetResourceSpans() {
			for _, scope := range resource.GetScopeSpans() {
				c.spans = append(c.spans, scope.GetSpans()...)
			}
		}
		c.mu.Unlock()
		select {
		case c.more <- struct{}{}:
		default:
		}
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	t.Cleanup(c.Close)
	return c
}

// span waits for a span whose name begins so, in a trace and below a parent.
func (c *collected) span(t *testing.T, traceID, parent, name string) (id string) {
	t.Helper()
	for {
		c.mu.Lock()
		seen := make([]string, len(c.spans))
		for i, s := range c.spans {
			seen[i] = s.GetName()
			if strings.HasPrefix(s.GetName(), name) && hexadecimal.EncodeToString(s.GetTraceId()) == traceID && hexadecimal.EncodeToString(s.GetParentSpanId()) == parent {
				c.mu.Unlock()
				return hexadecimal.EncodeToString(s.GetSpanId())
			}
		}
		c.mu.Unlock()
		select {
		case <-c.more:
		case <-t.Context().Done():
			t.Fatalf("there is no span %q below %s in %s: %q", name, parent, traceID, seen)
		}
	}
}

// One trace goes from the caller through the request, its statements, and
// the job that another process does for it.
func TestATraceConnectsRequestStatementsAndJob(t *testing.T) {
	t.Parallel()
	c := collect(t)
	shared := []string{
		"ENTWINE_DATABASE_URL=" + migratetest.Schema(t).PostgresURL(t), "ENTWINE_REDIS_URL=" + storetest.Redis(t).URL, "ENTWINE_WORKER=false",
		"ENTWINE_LOG_LEVEL=info", "OTEL_EXPORTER_OTLP_ENDPOINT=" + c.URL, "OTEL_BSP_SCHEDULE_DELAY=20",
	}
	s := trial.Start(t, shared...)
	worker := trial.Command(t, s.Dir, "worker")
	worker.Env = append(worker.Env, shared...)
	if err := worker.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = worker.Process.Signal(syscall.SIGTERM)
		if err := worker.Wait(); err != nil {
			t.Error(err)
		}
	})
	exercise(t, s)

	const traceID, client = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
	from := []string{"Traceparent", "00-" + traceID + "-" + client + "-01"}
	s.Ask(t, "POST", "/api/v1/auth/forgot-password", `{"email":"ada@example.com"}`, from...).Want(t, 200)
	request := c.span(t, traceID, client, "POST forgotPassword")
	c.span(t, traceID, request, "INSERT jobs")
	c.span(t, traceID, request, "COMMIT")
	job := c.span(t, traceID, request, "job password_reset")
	c.span(t, traceID, job, "UPDATE jobs")

	s.Ask(t, "POST", "/graphql", `{"query":"query Feed { posts { title } }"}`, from...).Want(t, 200)
	request = c.span(t, traceID, client, "POST graphql")
	c.span(t, traceID, c.span(t, traceID, request, "graphql query"), "SELECT posts")

	s.Output.Wait(t, "trace_id="+traceID)
	c.mu.Lock()
	defer c.mu.Unlock()
	if bytes.Contains(bytes.ReplaceAll(c.raw, []byte("_"), []byte("-")), []byte(canaryText)) {
		t.Error("a client's words are in the traces")
	}
	if !bytes.Contains(c.raw, []byte("Feed")) {
		t.Error("the name of an operation is not in the traces")
	}
}

// A collector that is away holds up nothing.
func TestTracesThatNobodyTakes(t *testing.T) {
	t.Parallel()
	away := httptest.NewServer(http.NotFoundHandler())
	away.Close()
	s := trial.Start(t, "OTEL_EXPORTER_OTLP_ENDPOINT="+away.URL, "OTEL_BSP_SCHEDULE_DELAY=20", "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT=200")
	s.Ask(t, "GET", "/api/v1/posts", "").Want(t, 200)
	s.Output.Wait(t, "traces are not sent")
}
