package web_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/entwine-go/entwine/kit/web"
)

func name(s string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, s) })
}

func newSite() (web.Site, *web.Health) {
	edge, _ := newEdge()
	health := &web.Health{Log: edge.Log}
	return web.Site{Edge: edge, Health: health, Start: name("start"), Keys: name("keys"), REST: name("rest"), GraphQL: name("graphql")}, health
}

func TestWhoAnswersWhichPath(t *testing.T) {
	site, _ := newSite()
	h := site.Handler()
	for path, want := range map[string]string{
		"/": "start", "/.well-known/jwks.json": "keys", "/graphql": "graphql", "/healthz": `"ok"`, "/readyz": `"ok"`,
		"/api/v1/users": "rest", "/graphql/": "rest", "//graphql": "rest", "/api//users": "rest", "/nothing": "rest",
	} {
		w := do(h, get("http://x"+path))
		if w.Code != 200 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("GET %s: %d %s, want %s", path, w.Code, w.Body, want)
		}
	}
}

// The origin of files answers links to files, without the caller's credentials, and nothing else.
func TestFilesHaveAnOriginOfTheirOwn(t *testing.T) {
	site, _ := newSite()
	site.FilesOrigin = "https://files.example.com"
	site.REST = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "rest %q", []string{r.Header.Get("Authorization"), r.Header.Get("Cookie"), r.Header.Get("X-API-Key"), r.Header.Get("Range")})
	})
	h := site.Handler()
	const file = "/api/files/wvlz4obqhu3xkmyncdtf5rgjse"
	for path, want := range map[string]string{
		"http://files.example.com" + file + "?token=a":               `rest ["" "" "" "bytes=0-1"]`,
		"http://files.example.com:443" + file + "?token=a":           `rest ["" "" "" "bytes=0-1"]`,
		"http://files.example.com:8443/":                             "no such thing",
		"http://files.example.com./api/v1/users":                     "no such thing",
		"http://FILES.example.com" + file + "?variant=small&token=a": `rest ["" "" "" "bytes=0-1"]`,
		"http://files.example.com" + file:                            "no such thing",
		"http://files.example.com/":                                  "no such thing",
		"http://files.example.com/healthz":                           "no such thing",
		"http://files.example.com/graphql?token=a":                   "no such thing",
		"http://files.example.com/api/v1/users?token=a":              "no such thing",
		"http://files.example.com/api/v1/files/a/link?token=a":       "no such thing",
		"http://x/": "start",
	} {
		w := do(h, get(path, "Cookie", "session=a", "X-API-Key", "b", "Range", "bytes=0-1"))
		if want == "no such thing" {
			if w.Code == 200 || strings.Contains(w.Body.String(), "rest") || strings.Contains(w.Body.String(), "start") {
				t.Errorf("GET %s: %d %s, want that there is nothing", path, w.Code, w.Body)
			}
			continue
		}
		if w.Code != 200 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("GET %s: %d %s, want %s", path, w.Code, w.Body, want)
		}
	}
	if w := do(h, get("http://x"+file+"?token=a", "X-API-Key", "b")); w.Code != http.StatusUnauthorized {
		t.Errorf("elsewhere a bad key is answered %d %s, want 401", w.Code, w.Body)
	}
	r := get("http://files.example.com" + file + "?token=a")
	r.Method = http.MethodDelete
	if w := do(h, r); strings.Contains(w.Body.String(), "rest") {
		t.Errorf("DELETE at the origin of files: %d %s", w.Code, w.Body)
	}
}

// Where files and APIs share a host's name, the port says which of them is asked.
func TestPortsTellFilesFromTheAPIs(t *testing.T) {
	for host, files := range map[string]bool{"example.com:8443": true, "example.com": false, "example.com:443": false, "Example.com.:8443": true} {
		site, _ := newSite()
		site.PublicURL, site.FilesOrigin = "https://example.com", "https://example.com:8443"
		if w := do(site.Handler(), get("http://"+host+"/")); (w.Body.String() != "start") != files {
			t.Errorf("%s answers %d %s, want that it has files alone: %v", host, w.Code, w.Body, files)
		}
	}
}

func TestReadiness(t *testing.T) {
	site, health := newSite()
	h := site.Handler()
	var database, redis error
	health.Needs = map[string]func(context.Context) error{"database": func(context.Context) error { return database }}
	health.Likes = map[string]func(context.Context) error{"redis": func(context.Context) error { return redis }}
	check := func(status int, want string) {
		t.Helper()
		if w := do(h, get("/readyz", "Authorization", "Bearer bad")); w.Code != status || strings.TrimSpace(w.Body.String()) != want {
			t.Errorf("answered %d %s, want %d %s", w.Code, w.Body, status, want)
		}
	}
	check(200, `{"status":"ok","checks":{"database":"ok","redis":"ok"}}`)
	redis = errors.New("refused by 10.1.2.3")
	check(200, `{"status":"degraded","checks":{"database":"ok","redis":"failed"}}`)
	database = errors.New("gone")
	check(503, `{"status":"unavailable","checks":{"database":"failed","redis":"failed"}}`)
	health.Drain()
	check(503, `{"status":"draining"}`)
	if w := do(h, get("/healthz")); w.Code != 200 {
		t.Errorf("/healthz answers %d while draining", w.Code)
	}
	if w := do(h, request("POST", "/readyz", "")); w.Code != 405 || w.Header().Get("Allow") != "GET, HEAD" {
		t.Errorf("POST /readyz: %d, Allow %q", w.Code, w.Header().Get("Allow"))
	}
}

// A part that hangs is named, and others are not blamed. It is asked once,
// however often a prober wants to know.
func TestAPartThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site, health := newSite()
		var asked atomic.Int32
		wake := make(chan struct{})
		health.Needs = map[string]func(context.Context) error{"database": func(context.Context) error {
			asked.Add(1)
			<-wake
			return nil
		}}
		health.Likes = map[string]func(context.Context) error{"redis": func(context.Context) error { return nil }}
		h := site.Handler()
		for range 3 {
			w := do(h, get("/readyz"))
			if want := `{"status":"unavailable","checks":{"database":"failed","redis":"ok"}}`; w.Code != 503 || strings.TrimSpace(w.Body.String()) != want {
				t.Errorf("answered %d %s, want 503 %s", w.Code, w.Body, want)
			}
		}
		if n := asked.Load(); n != 1 {
			t.Errorf("it was asked %d times", n)
		}
		close(wake)
		synctest.Wait()
		if w := do(h, get("/readyz")); w.Code != 200 {
			t.Errorf("afterwards answered %d %s", w.Code, w.Body)
		}
	})
}

// An optional part that hangs delays no prober by a second, which many give up after. While it does not
// answer, what it answered before counts.
func TestAnOptionalPartThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site, health := newSite()
		var hangs atomic.Bool
		health.Needs = map[string]func(context.Context) error{"database": func(context.Context) error { return nil }}
		health.Likes = map[string]func(context.Context) error{"scanner": func(ctx context.Context) error {
			if !hangs.Load() {
				return nil
			}
			<-ctx.Done()
			return ctx.Err()
		}}
		h := site.Handler()
		for i, want := range []string{"ok", "ok", "failed", "failed", "failed"} {
			began := time.Now()
			w := do(h, get("/readyz"))
			if took := time.Since(began); w.Code != 200 || took > 600*time.Millisecond || !strings.Contains(w.Body.String(), `"scanner":"`+want+`"`) {
				t.Errorf("probe %d is answered after %v with %d %s, want the scanner %s", i, took, w.Code, w.Body, want)
			}
			hangs.Store(true)
			time.Sleep(3 * time.Second)
		}
		hangs.Store(false)
		if w := do(h, get("/readyz")); !strings.Contains(w.Body.String(), `"ok"`) {
			t.Errorf("afterwards answered %d %s", w.Code, w.Body)
		}
	})
}

func TestStoppingFinishesWhatHasBegun(t *testing.T) {
	site, health := newSite()
	ctx, stop := context.WithCancel(t.Context())
	site.REST = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		stop()
		for !draining(site.Handler()) {
			time.Sleep(time.Millisecond)
		}
		_, _ = io.WriteString(w, "finished")
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &web.Server{Handler: site.Handler(), Health: health, Log: site.Edge.Log, Shutdown: time.Minute}
	stopped := make(chan error, 1)
	go func() { stopped <- server.Serve(ctx, l) }()
	res, err := http.Get("http://" + l.Addr().String() + "/api")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if body, err := io.ReadAll(res.Body); err != nil || string(body) != "finished" || !res.Close {
		t.Errorf("answered %q, %v, closes %v", body, err, res.Close)
	}
	if err := <-stopped; err != nil {
		t.Errorf("Serve: %v", err)
	}
}

func draining(h http.Handler) bool { return do(h, get("/readyz")).Code == 503 }

// A page declares its policy, and how much it takes for how long, and no other path has
// these.
func TestPagesHaveLimitsOfTheirOwn(t *testing.T) {
	t.Parallel()
	site, _ := newSite()
	read := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		until, _ := r.Context().Deadline()
		n, err := io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "%d %v %v", n, err, time.Until(until) > time.Hour)
	})
	site.Pages = map[string]http.Handler{"/plain": read, "/board/": web.Page{Handler: read, Policy: "default-src 'self'", Body: 500, Time: 2 * time.Hour}}
	h := site.Handler()
	const none = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"
	for _, test := range []struct {
		path   string
		size   int
		status int
		body   string
		policy string
	}{
		{"/plain", 100, 200, "100 <nil> false", none},
		{"/plain", 101, 413, "", none},
		{"/board/a", 500, 200, "500 <nil> true", "default-src 'self'"},
		{"/board/a", 501, 413, "", none},
	} {
		r := httptest.NewRequest(http.MethodPost, "http://x"+test.path, strings.NewReader(strings.Repeat("x", test.size)))
		w := do(h, r)
		if w.Code != test.status || test.status == 200 && w.Body.String() != test.body || w.Header().Get("Content-Security-Policy") != test.policy {
			t.Errorf("POST %s of %d bytes: %d %s under %q, want %d %s under %q", test.path, test.size, w.Code, w.Body, w.Header().Get("Content-Security-Policy"), test.status, test.body, test.policy)
		}
	}
}
