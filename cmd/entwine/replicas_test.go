package main_test

import (
	"database/sql"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/outbound"
	"github.com/entwine-go/entwine/kit/pgserver"
)

// pairs is how many writes are each followed by a read.
var (
	pairs        = flag.Int("pairs", 300, "how many pairs of a write and a read over replicas")
	replicaDelay = flag.Duration("replica-delay", 0, "how far the replicas are behind at most: the delay of each changes between 0 and that")
)

// following are two processes over a primary and two replicas, and one that knows of no
// replicas.
type following struct {
	*testing.T
	replicas []*pgserver.Server
	serve    []*service
	alone    *service
	auth     []string
}

func startFollowing(t *testing.T) *following {
	t.Helper()
	f := &following{T: t}
	primary, replicas := storetest.Replicated(t, 2)
	f.replicas = replicas
	settings := []string{
		"ENTWINE_LOG_LEVEL=info", "ENTWINE_METRICS_ADDR=127.0.0.1:0", "ENTWINE_ACCESS_TOKEN_TIME=24h", "ENTWINE_DATABASE_URL=" + primary.URL("postgres"),
		"ENTWINE_TOKEN_KEYS=" + strings.Repeat("A", 43) + "=", "ENTWINE_SECRET_KEYS=" + strings.Repeat("B", 43) + "=",
		"ENTWINE_REDIS_URL=" + storetest.Redis(t).URL,
	}
	f.alone = start(t, settings...)
	settings = append(settings, fmt.Sprintf("ENTWINE_DATABASE_REPLICAS=%s %s", replicas[0].URL("postgres"), replicas[1].URL("postgres")))
	for range 2 {
		s := start(t, settings...)
		f.serve = append(f.serve, s)
		for _, r := range replicas {
			s.output.wait(t, fmt.Sprintf("replica=127.0.0.1:%d", r.Port))
		}
	}
	f.auth = f.serve[0].signUp(t)
	return f
}

// pause has a replica replay nothing from now on, or all again.
func (f *following) pause(replica int, paused bool) {
	f.Helper()
	db, err := sql.Open("postgres", f.replicas[replica].URL("postgres"))
	if err != nil {
		f.Fatal(err)
	}
	defer db.Close()
	text := "SELECT pg_wal_replay_resume()"
	if paused {
		text = "SELECT pg_wal_replay_pause()"
	}
	if _, err := db.ExecContext(f.Context(), text); err != nil {
		f.Fatal(err)
	}
}

// until asks one of the processes until it answers so.
func (f *following) until(path string, status int, text string, headers ...string) {
	f.Helper()
	ask := time.NewTicker(20 * time.Millisecond)
	defer ask.Stop()
	for {
		a := f.serve[0].ask(f.T, "GET", path, "", headers...)
		if a.status == status && strings.Contains(a.text, text) {
			return
		}
		select {
		case <-ask.C:
		case <-time.After(time.Minute):
			f.Fatalf("GET %s never answers %d with %s: %s", path, status, text, a.text)
		}
	}
}

// reads is how many statements the replicas have answered, and the primary in their place.
func (f *following) reads() (replicas, primary float64) {
	for _, s := range f.serve {
		series, _ := scrape(f.T, s.output)
		for name, value := range series {
			switch {
			case strings.HasPrefix(name, "entwine_replica_reads_total"):
				replicas += value
			case strings.HasPrefix(name, "entwine_replica_misses_total"):
				primary += value
			}
		}
	}
	return replicas, primary
}

// TestReplicasAreShown reads what the console shows of a replica while it is used, and while
// it replays nothing.
func TestReplicasAreShown(t *testing.T) {
	t.Parallel()
	primary, replicas := storetest.Replicated(t, 1)
	s := start(t, "ENTWINE_ADMIN_PASSWORD="+killPassword, "ENTWINE_LOG_LEVEL=info", "ENTWINE_DATABASE_URL="+primary.URL("postgres"),
		"ENTWINE_TOKEN_KEYS="+strings.Repeat("A", 43)+"=", "ENTWINE_SECRET_KEYS="+strings.Repeat("B", 43)+"=",
		"ENTWINE_REDIS_URL="+storetest.Redis(t).URL, "ENTWINE_DATABASE_REPLICAS="+replicas[0].URL("postgres"))
	f := &following{T: t, replicas: replicas, serve: []*service{s}}
	in := s.ask(t, "POST", "/api/v1/auth/login", `{"email":"admin@example.com","password":"`+killPassword+`"}`).want(t, 200)
	admin := []string{"Authorization", "Bearer " + in.body["accessToken"].(string)}
	name := fmt.Sprintf(`"name":"127.0.0.1:%d"`, replicas[0].Port)
	f.until("/console/data/health", 200, name+`,"why":"","primary":false,"age_ms":`, admin...)
	f.pause(0, true)
	s.ask(t, "POST", "/api/v1/posts", `{"title": "Late", "content": "Text."}`, admin...).want(t, 201)
	f.until("/console/data/health", 200, `"primary":false,"age_ms":null,`, admin...)
	f.pause(0, false)
	f.until("/console/data/health", 200, name+`,"why":"",`, admin...)
}

// caller is a client who keeps what the service gives it to keep, and asks one process
// after the other.
type caller struct {
	*following
	client http.Client
	auth   []string
	turn   int
}

func (c *caller) do(method, path, body string, headers ...string) (status int, text string) {
	c.turn++
	r := newRequest(c.T, method, c.serve[c.turn%2].url+path, body, append(headers, c.auth...)...)
	res, err := c.client.Do(r)
	if err != nil {
		c.Errorf("%s %s: %v", method, path, err)
		return 0, ""
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		c.Errorf("%s %s: %v", method, path, err)
	}
	return res.StatusCode, string(answer)
}

// pair writes a post and reads it through the door, and reports whether it was there.
func (c *caller) pair(i int) bool {
	title := fmt.Sprintf("Pair %d of %p", i, c)
	status, text := c.do("POST", "/api/v1/posts", fmt.Sprintf(`{"title": %q, "content": "Text.", "published": true}`, title))
	if status != 201 {
		c.Errorf("the write is answered %d: %s", status, text)
		return false
	}
	switch i % 3 {
	case 0:
		status, text = c.do("GET", "/api/v1/posts?sort=-created_at&limit=100", "")
	case 1:
		status, text = c.do("GET", "/api/v1/posts?title="+strings.ReplaceAll(title, " ", "+"), "")
	default:
		status, text = c.do("POST", "/graphql", `{"query": "{ posts { title } }"}`)
	}
	if status != 200 {
		c.Errorf("the read is answered %d: %s", status, text)
	}
	return strings.Contains(text, title)
}

// pairs has callers of both kinds write and read.
func (f *following) pairs(n int) {
	f.Helper()
	const callers = 6
	var all sync.WaitGroup
	var stale atomic.Int64
	for k := range callers {
		c := &caller{following: f, auth: f.auth, client: http.Client{Transport: outbound.Consistent(nil)}}
		if k%2 == 0 { // a browser
			jar, err := cookiejar.New(nil)
			if err != nil {
				f.Fatal(err)
			}
			c.client, c.auth = http.Client{Jar: jar}, []string{"Cookie", "token=" + strings.TrimPrefix(f.auth[1], "Bearer ")}
		}
		all.Go(func() {
			for i := range n / callers {
				if !c.pair(i) {
					stale.Add(1)
				}
			}
		})
	}
	all.Wait()
	if s := stale.Load(); s > 0 {
		f.Errorf("%d of %d reads did not show what their callers had written", s, n)
	}
}

// TestReplicas runs doc/operations/replicas.md.
func TestReplicas(t *testing.T) {
	t.Parallel()
	f := startFollowing(t)
	done, waver := make(chan struct{}), sync.WaitGroup{}
	if *replicaDelay > 0 {
		waver.Go(func() { f.waver(done) })
	}
	f.pairs(*pairs / 2)
	close(done)
	waver.Wait()
	both, missed := f.reads()
	t.Logf("of %d pairs: %.0f statements of replicas, %.0f of the primary in their place", *pairs/2, both, missed)
	if both == 0 {
		t.Error("replicas answered nothing")
	}
	f.pause(0, true)
	f.pairs(*pairs / 2)
	f.until("/readyz", 200, `"replicas":"failed"`) // one is too old
	f.pause(1, true)
	f.alone.ask(t, "POST", "/api/v1/posts", `{"title": "Late", "content": "Text.", "published": true}`, f.auth...).want(t, 201)
	f.until("/api/v1/posts?title=Late", 200, `"title":"Late"`) // of whom no token says what they have seen
	f.pause(0, false)
	f.pause(1, false)
	f.until("/readyz", 200, `"replicas":"ok"`)
	f.same()
	f.replicas[0].Kill()
	f.pairs(*pairs / 10)
}

// waver changes how far the replicas are behind, until done is closed.
func (f *following) waver(done <-chan struct{}) {
	for i := 0; ; i++ {
		for r := range f.replicas {
			delay := time.Duration((i+3*r)%6) * *replicaDelay / 5
			f.delay(r, delay)
		}
		select {
		case <-done:
			for r := range f.replicas {
				f.delay(r, 0)
			}
			return
		case <-time.After(2 * time.Second):
		}
	}
}

// delay has a replica replay what was committed so long ago.
func (f *following) delay(replica int, by time.Duration) {
	db, err := sql.Open("postgres", f.replicas[replica].URL("postgres"))
	if err != nil {
		f.Error(err)
		return
	}
	defer db.Close()
	for _, text := range []string{fmt.Sprintf("ALTER SYSTEM SET recovery_min_apply_delay = %d", by.Milliseconds()), "SELECT pg_reload_conf()"} {
		if _, err := db.ExecContext(f.Context(), text); err != nil {
			f.Error(err)
		}
	}
}

// same compares what callers read of replicas with what they read of the primary.
func (f *following) same() {
	f.Helper()
	open := []string{"/api/v1/posts?limit=50&expand=author", "/api/v1/posts/1", "/api/v1/posts?search=pair&limit=5"}
	for _, one := range []struct{ paths, headers []string }{{open, nil}, {append(open, "/api/v1/users", "/api/v1/auth/me"), f.auth}} {
		for _, path := range one.paths {
			want, got := f.alone.ask(f.T, "GET", path, "", one.headers...), f.serve[0].ask(f.T, "GET", path, "", one.headers...)
			if got.status != want.status || got.text != want.text {
				f.Errorf("GET %s: a replica answers %d %s\nthe primary %d %s", path, got.status, got.text, want.status, want.text)
			}
		}
	}
}
