package bench

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"entgo.io/ent/dialect"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/store"
)

const (
	mixedCallers  = 8
	mixedRequests = 500 // of each caller
)

// Of a mixed load, how many reads two replicas answer. Each caller writes, and reads what it
// wrote, as users do. No figure fails the test.
func TestScaleOfReplicas(t *testing.T) {
	if *scale == "" || *part != "" && *part != "replicas" {
		t.Skip("it seeds large tables: make scale does it")
	}
	primary, replicas := storetest.Replicated(t, 2)
	db, err := store.Open(t.Context(), store.Config{URL: primary.URL("postgres"), StatementTimeout: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	s := &scaled{T: t, db: db, world: &world{dialect: dialect.Postgres, size: scales[*scale].size}}
	s.seed()
	s.metrics = unused(t)
	env := []string{
		"ENTWINE_DATABASE_URL=" + primary.URL("postgres"), fmt.Sprintf("ENTWINE_DATABASE_REPLICAS=%s %s", replicas[0].URL("postgres"), replicas[1].URL("postgres")),
		"ENTWINE_DATA_DIR=" + t.TempDir(), "ENTWINE_ADDR=127.0.0.1:0", "ENTWINE_METRICS_ADDR=" + s.metrics,
		"ENTWINE_LOG_LEVEL=error", "ENTWINE_EXPLAIN=0", "ENTWINE_RATE_LIMIT=off", "ENTWINE_REGISTRATION_LIMIT=off",
	}
	entwine := build(t, "entwine", "../../cmd/entwine")
	s.entwine = start(t, 0, env, entwine, "serve")
	s.token = run(t, env, entwine, "token", "--expires-in", "2h", "user2@example.com")
	f := &figures{}
	for _, every := range []int{20, 10, 5} { // a write among so many requests
		was := s.replicaReads()
		var all sync.WaitGroup
		for who := range mixedCallers {
			all.Go(func() { s.mixed(who, every) })
		}
		all.Wait()
		now := s.replicaReads()
		answered, missed := now[0]-was[0], now[1]-was[1]
		f.row(fmt.Sprintf("a write among %d requests", every), "reads that replicas answer", fmt.Sprintf("%.0f%% of %.0f", 100*answered/(answered+missed), answered+missed), "70%")
	}
	f.print(*scale + ", two replicas")
}

// mixed is a caller who sends the token of what they have seen with each request.
func (s *scaled) mixed(who, every int) {
	token := ""
	ask := func(method, path, body string) {
		r, err := http.NewRequestWithContext(s.Context(), method, s.entwine.url+path, strings.NewReader(body))
		if err != nil {
			s.Error(err)
			return
		}
		r.Header.Set("Authorization", "Bearer "+s.token)
		if r.Header.Set("Consistency-Token", token); token == "" {
			r.Header.Del("Consistency-Token")
		}
		if body != "" {
			r.Header.Set("Content-Type", "application/json")
		}
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			s.Error(err)
			return
		}
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		if err != nil || res.StatusCode >= 300 {
			s.Errorf("%s %s: %d %.200s, %v", method, path, res.StatusCode, text, err)
		}
		token = max(token, res.Header.Get("Consistency-Token"))
	}
	for i := range mixedRequests {
		post := 1 + (who*mixedRequests+i)%s.posts
		switch {
		case i%every == 0:
			ask("POST", fmt.Sprintf("/api/v1/posts/%d/comments", post), `{"text":"So it is."}`)
		case i%4 == 0:
			ask("GET", "/api/v1/posts?limit=20&expand=author", "")
		case i%4 == 1:
			ask("GET", fmt.Sprintf("/api/v1/posts/%d", post), "")
		case i%4 == 2:
			ask("GET", fmt.Sprintf("/api/v1/posts/%d/comments?limit=20", post), "")
		default:
			ask("POST", "/graphql", `{"query":"{ postsConnection(first: 20) { edges { node { title author { name } } } } }"}`)
		}
	}
}

var replicaSeries = regexp.MustCompile(`(?m)^entwine_replica_(reads|misses)_total\{.*\} (\S+)$`)

// replicaReads is how many statements replicas have answered, and the primary in their place.
func (s *scaled) replicaReads() (all [2]float64) {
	s.Helper()
	text := (&process{url: "http://" + s.metrics}).fetch(s, call{method: "GET", path: "/metrics", status: 200})
	for _, found := range replicaSeries.FindAllSubmatch(text, -1) {
		n, err := strconv.ParseFloat(string(found[2]), 64)
		if err != nil {
			s.Fatal(err)
		}
		if string(found[1]) == "reads" {
			all[0] += n
		} else {
			all[1] += n
		}
	}
	return all
}
