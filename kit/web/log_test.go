package web_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/netip"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/internal/telemetry"
)

func TestALineForEachRequest(t *testing.T) {
	edge, log := newEdge()
	edge.Proxies = []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("10.0.0.0/8")}
	var line struct {
		Level, Msg, Method, Path, Query, From string
		RequestID                             string `json:"request_id"`
		Status, Bytes                         int
		UserID                                int64 `json:"user_id"`
		Took                                  int64 `json:"took_us"`
	}
	start := time.Now()
	edge.Now = func() time.Time { start = start.Add(750 * time.Millisecond); return start }
	do(edge.Handler(whoami), get("/api/v1/users?page=2&search=ada%40example.com&token=hush&sort=-name",
		"Authorization", "Bearer good", "X-Request-Id", "r1", "X-Forwarded-For", "6.6.6.6, 203.0.113.9, 10.1.1.1"))
	if err := json.Unmarshal(log.Bytes(), &line); err != nil {
		t.Fatalf("%v in %s", err, log)
	}
	if line.Level != "INFO" || line.Msg != "request" || line.Method != "GET" || line.Path != "/api/v1/users" ||
		line.RequestID != "r1" || line.Status != 200 || line.Bytes == 0 || line.UserID != 5 || line.Took < 750_000 {
		t.Errorf("line %+v", line)
	}
	if want := "page=2&search=-&token=-&sort=-name"; line.Query != want {
		t.Errorf("query %q, want %q", line.Query, want)
	}
	if want := "203.0.113.9"; line.From != want {
		t.Errorf("from %q, want %q", line.From, want)
	}
}

func TestAForwardedAddressCountsOnlyFromAProxy(t *testing.T) {
	edge, log := newEdge()
	do(edge.Handler(whoami), get("/", "X-Forwarded-For", "203.0.113.9"))
	var line struct{ From string }
	if err := json.Unmarshal(log.Bytes(), &line); err != nil {
		t.Fatal(err)
	}
	if want := "192.0.2.1"; line.From != want {
		t.Errorf("from %q, want %q", line.From, want)
	}
}

func TestASampleOfRequestsIsLogged(t *testing.T) {
	edge, log := newEdge()
	edge.Unlogged = 50
	handler := edge.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/bad" {
			w.WriteHeader(http.StatusInternalServerError)
		}
	}))
	lines := func(n int, path string) int {
		log.Reset()
		for range n {
			do(handler, get(path))
		}
		return bytes.Count(log.Bytes(), []byte("\n"))
	}
	if n := lines(200, "/good"); n < 20 || n > 180 {
		t.Errorf("%d lines about 200 requests, of which half are to be logged", n)
	}
	edge.Unlogged = 100
	if n := lines(20, "/good"); n != 0 {
		t.Errorf("%d lines about requests of which none is to be logged", n)
	}
	if n := lines(20, "/bad"); n != 20 {
		t.Errorf("%d lines about 20 requests that failed", n)
	}
}

func TestNoLineBelowTheLevel(t *testing.T) {
	edge, log := newEdge()
	edge.Log = telemetry.NewLogger(log, slog.LevelWarn, true)
	do(edge.Handler(whoami), get("/"))
	if log.Len() != 0 {
		t.Errorf("logged %s", log)
	}
}
