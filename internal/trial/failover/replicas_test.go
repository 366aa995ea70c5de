package failover_test

import (
	"database/sql"
	"encoding/json"
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

	"github.com/entwine-go/entwine/internal/trial"
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
	serve    []*trial.Service
	alone    *trial.Service
	auth     []string
	callers  []*caller
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
	f.alone = trial.Start(t, settings...)
	settings = append(settings, fmt.Sprintf("ENTWINE_DATABASE_REPLICAS=%s %s", replicas[0].URL("postgres"), replicas[1].URL("postgres")))
	for range 2 {
		s := trial.Start(t, settings...)
		f.serve = append(f.serve, s)
		for _, r := range replicas {
			s.Output.Wait(t, fmt.Sprintf("replica=127.0.0.1:%d", r.Port))
		}
	}
	f.auth = f.serve[0].SignUp(t)
	f.alone.Ask(t, "POST", "/api/v1/posts", `{"title": "A pair that stays", "content": "Text.", "published": true}`, f.auth...).Want(t, 201)
	for n := range 12 {
		f.callers = append(f.callers, f.caller(n))
	}
	return f
}

// pause has a replica replay nothing from now on, or all again.
func (f *following) pause(replica int, paused bool) {
	f.Helper()
	if paused {
		f.tell(replica, "SELECT pg_wal_replay_pause()")
	} else {
		f.tell(replica, "SELECT pg_wal_replay_resume()")
	}
}

// tell runs statements on a replica, again where what it replays stands in their way.
func (f *following) tell(replica int, texts ...string) {
	f.Helper()
	db, err := sql.Open("postgres", f.replicas[replica].URL("postgres"))
	if err != nil {
		f.Error(err)
		return
	}
	defer db.Close()
	for _, text := range texts {
		_, err := db.ExecContext(f.Context(), text)
		for err != nil && strings.Contains(err.Error(), "40001") {
			_, err = db.ExecContext(f.Context(), text)
		}
		if err != nil {
			f.Errorf("%s: %v", text, err)
		}
	}
}

// until asks one of the processes until it answers so.
func (f *following) until(path string, status int, text string, headers ...string) {
	f.Helper()
	ask := time.NewTicker(20 * time.Millisecond)
	defer ask.Stop()
	for {
		a := f.serve[0].Ask(f.T, "GET", path, "", headers...)
		if a.Status == status && strings.Contains(a.Text, text) {
			return
		}
		select {
		case <-ask.C:
		case <-time.After(time.Minute):
			f.Fatalf("GET %s never answers %d with %s: %s", path, status, text, a.Text)
		}
	}
}

// reads is how many statements the replicas have answered, and the primary in their place.
func (f *following) reads() (replicas, primary float64) {
	for _, s := range f.serve {
		series, _ := trial.Scrape(f.T, s.Output)
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
	s := trial.Start(t, "ENTWINE_ADMIN_PASSWORD="+trial.AdminPassword, "ENTWINE_LOG_LEVEL=info", "ENTWINE_DATABASE_URL="+primary.URL("postgres"),
		"ENTWINE_TOKEN_KEYS="+strings.Repeat("A", 43)+"=", "ENTWINE_SECRET_KEYS="+strings.Repeat("B", 43)+"=",
		"ENTWINE_REDIS_URL="+storetest.Redis(t).URL, "ENTWINE_DATABASE_REPLICAS="+replicas[0].URL("postgres"))
	f := &following{T: t, replicas: replicas, serve: []*trial.Service{s}}
	in := s.Ask(t, "POST", "/api/v1/auth/login", `{"email":"admin@example.com","password":"`+trial.AdminPassword+`"}`).Want(t, 200)
	admin := []string{"Authorization", "Bearer " + in.Body["accessToken"].(string)}
	name := fmt.Sprintf(`"name":"127.0.0.1:%d"`, replicas[0].Port)
	f.until("/console/data/health", 200, name+`,"why":"","primary":false,"age_ms":`, admin...)
	f.pause(0, true)
	s.Ask(t, "POST", "/api/v1/posts", `{"title": "Late", "content": "Text."}`, admin...).Want(t, 201)
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
	id     int64 // of their account
	post   int64 // that they wrote last
	turn   int
}

func (c *caller) do(method, path, body string, headers ...string) (status int, text string) {
	c.turn++
	r := trial.NewRequest(c.T, method, c.serve[c.turn%2].URL+path, body, append(headers, c.auth...)...)
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

// pair writes a post, changes it or removes it, and reads it through a door, and reports
// whether the answer shows that. Nobody else writes what is read.
func (c *caller) pair(i int) bool {
	path, want := fmt.Sprintf("/api/v1/posts/%d", c.post), true
	var status int
	var text string
	title := fmt.Sprintf("Pair %d of %d", i, c.id)
	switch i % 3 {
	case 0:
		status, text = c.do("POST", "/api/v1/posts", fmt.Sprintf(`{"title": %q, "content": "Text.", "published": true}`, title))
		var made struct{ Data struct{ ID int64 } }
		if err := json.Unmarshal([]byte(text), &made); err != nil {
			c.Errorf("%v: %s", err, text)
		}
		c.post, path = made.Data.ID, fmt.Sprintf("/api/v1/posts/%d", made.Data.ID)
	case 1:
		status, text = c.do("PATCH", path, fmt.Sprintf(`{"title": %q}`, title))
	default:
		title, want = fmt.Sprintf("Pair %d of %d", i-1, c.id), false
		status, text = c.do("DELETE", path, "")
	}
	if status < 200 || status > 204 {
		c.Errorf("the write is answered %d: %s", status, text)
		return false
	}
	switch i / 3 % 3 {
	case 0:
		status, text = c.do("GET", path, "")
	case 1:
		status, text = c.do("GET", fmt.Sprintf("/api/v1/posts?author_id=%d&sort=-created_at&limit=5", c.id), "")
	default:
		status, text = c.do("POST", "/graphql", fmt.Sprintf(`{"query": "{ posts(author_id: \"%d\") { title } }"}`, c.id))
	}
	if status != 200 && (want || status != 404) || strings.Contains(text, `"errors"`) {
		c.Errorf("the read is answered %d: %s", status, text)
	}
	if strings.Contains(text, `"`+title+`"`) == want {
		return true
	}
	c.Logf("pair %d of %d: read %d %.300s", i, c.id, status, text)
	return false
}

// caller returns the n-th, who has an account of their own. Each second one is a browser.
func (f *following) caller(n int) *caller {
	f.Helper()
	made := f.serve[0].Ask(f.T, "POST", "/api/v1/auth/register", strings.Replace(trial.Ada, "ada@", fmt.Sprintf("caller%d@", n), 1)).Want(f.T, 201)
	token := made.Body["token"].(string)
	c := &caller{following: f, client: http.Client{Transport: outbound.Consistent(nil)}, auth: []string{"Authorization", "Bearer " + token}}
	if n%2 == 0 {
		jar, err := cookiejar.New(nil)
		if err != nil {
			f.Fatal(err)
		}
		c.client, c.auth = http.Client{Jar: jar}, []string{"Cookie", "token=" + token}
	}
	me := f.alone.Ask(f.T, "GET", "/api/v1/auth/me", "", "Authorization", "Bearer "+token).Want(f.T, 200)
	c.id = int64(me.Body["data"].(map[string]any)["id"].(float64))
	return c
}

// pairs has callers of both kinds write and read.
func (f *following) pairs(n int) {
	f.Helper()
	var all sync.WaitGroup
	var stale atomic.Int64
	for _, c := range f.callers {
		all.Go(func() {
			for i := range n / len(f.callers) / 3 * 3 {
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
	f.pairs(*pairs)
	close(done)
	waver.Wait()
	both, missed := f.reads()
	t.Logf("of %d pairs: %.0f statements of replicas, %.0f of the primary in their place", *pairs, both, missed)
	if both == 0 {
		t.Error("replicas answered nothing")
	}
	some := max(*pairs/10, 100)
	f.pause(0, true)
	f.pairs(some)
	f.until("/readyz", 200, `"replicas":"failed"`) // one is too old
	f.pause(1, true)
	f.alone.Ask(t, "POST", "/api/v1/posts", `{"title": "Late", "content": "Text.", "published": true}`, f.auth...).Want(t, 201)
	f.until("/api/v1/posts?title=Late", 200, `"title":"Late"`) // of whom no token says what they have seen
	f.pause(0, false)
	f.pause(1, false)
	f.until("/readyz", 200, `"replicas":"ok"`)
	f.same()
	f.replicas[0].Kill()
	f.pairs(some)
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
	f.Helper()
	f.tell(replica, fmt.Sprintf("ALTER SYSTEM SET recovery_min_apply_delay = %d", by.Milliseconds()), "SELECT pg_reload_conf()")
}

// same compares what callers read of replicas with what they read of the primary.
func (f *following) same() {
	f.Helper()
	open := []string{"/api/v1/posts?limit=50&expand=author", "/api/v1/posts/1", "/api/v1/posts?search=pair&limit=5"}
	for _, one := range []struct{ paths, headers []string }{{open, nil}, {append(open, "/api/v1/users", "/api/v1/auth/me"), f.auth}} {
		for _, path := range one.paths {
			want, got := f.alone.Ask(f.T, "GET", path, "", one.headers...), f.serve[0].Ask(f.T, "GET", path, "", one.headers...)
			if got.Status != want.Status || got.Text != want.Text {
				f.Errorf("GET %s: a replica answers %d %s\nthe primary %d %s", path, got.Status, got.Text, want.Status, want.Text)
			}
		}
	}
}
