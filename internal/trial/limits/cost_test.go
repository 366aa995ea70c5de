package limits_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// A front page asks for much and gets little: each load is charged for the rows
// that it returns.
func TestAnOperationCountsWhatItAnswers(t *testing.T) {
	t.Parallel()
	test := func(t *testing.T, s *trial.Service) {
		auth := s.SignUp(t)
		s.Ask(t, "POST", "/api/v1/posts", `{"title":"One","content":"…","published":true}`, auth...).Want(t, 201)
		load := func(query string) trial.Reply {
			return s.Ask(t, "POST", "/graphql", `{"query":"`+query+`"}`, auth...)
		}
		left := func(a trial.Reply) int {
			n, err := strconv.Atoi(a.Header.Get("X-RateLimit-Remaining"))
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		const page = `{ postsConnection(first: 20) { nodes { id title author { id name } comments(first: 10) { id text createdAt author { id name } } category { id name } } } }`
		before := left(load("{ __typename }"))
		for i := range 10 {
			a := load(page).Want(t, 200, `"title":"One"`, `"requested":1401`)
			if got := left(a); got != before-1-i {
				t.Fatalf("load %d leaves %d of %d", i+1, got, before)
			}
		}

		dear := load(`{ users(limit: 100) { posts(first: 48) { id } } }`).Want(t, 200)
		if got := left(dear); got != before-11 {
			t.Errorf("what asks for 4,901 and answers little leaves %d of %d", got, before)
		}
		for left(dear) > 45 {
			dear = load("{ __typename }")
		}
		refused := load(`{ users(limit: 100) { posts(first: 48) { id } } }`)
		refused.Want(t, 429, "RATE_LIMIT_EXCEEDED", "counts 49 more, and "+refused.Header.Get("X-RateLimit-Remaining")+" of 100 in 24h0m0s are left",
			"the operation costs 4901, its costliest path is users.posts: ask for smaller pages")
		load(`{ users(limit: 100) { posts(first: 50) { author { id } } } }`).Want(t, 200, "QUERY_TOO_COMPLEX",
			"the operation costs 10101: 5000 are allowed. Its costliest path is users.posts.author: ask for", `"cost":{"limit":5000,"path":"users.posts.author","requested":10101}`)
		load(`{ posts { `+strings.Repeat("id ", 2000)+`} }`).Want(t, 200, "QUERY_TOO_COMPLEX", "more than 2000 tokens")
		load(`{ posts { `+strings.Repeat("id ", 1994)+`} }`).Want(t, 200, `"data":{"posts":[{"id":`)
	}
	eachLimited(t, test)
}

// The charge for an operation that reads many rows and answers few is not given back: it
// is not affordable often.
func TestScansAreCharged(t *testing.T) {
	t.Parallel()
	var hostile, schema strings.Builder
	for i := range 20 {
		fmt.Fprintf(&hostile, `c%d: commentsConnection(first: 1, where: {hasPostWith: [{contentContainsFold: \"no such text\"}]}) { totalCount } `, i)
		fmt.Fprintf(&schema, `s%d: __schema { queryType { name } } `, i)
	}
	eachLimited(t, func(t *testing.T, s *trial.Service) {
		auth := s.SignUp(t)
		load := func(query string) trial.Reply {
			return s.Ask(t, "POST", "/graphql", `{"query":"{ `+query+` }"}`, auth...)
		}
		load(hostile.String()).Want(t, 200, `"c19":{"totalCount":0}`, `"requested":4040,"actual":4040`, `"remaining":5900`)
		load(hostile.String()).Want(t, 200, `"remaining":1800`)
		load(hostile.String()).Want(t, 429, "counts 40 more, and 17 of 100", "the operation costs 4040, its costliest path is c0: ask for", "or for fewer fields, totals and filters there")
		load(schema.String()).Want(t, 429, "the operation costs 2000")
		load(`postsConnection(first: 100) { nodes { commentsConnection(first: 1, where: {hasPostWith: [{contentContainsFold: \"x\"}]}) { totalCount } } }`).
			Want(t, 200, "QUERY_TOO_COMPLEX", "the operation costs 20", "Its costliest path is postsConnection.nodes.commentsConnection")
	})
}

// A listing that is searched counts for what it makes the database read, in the
// same measure as GraphQL's; one that is only counted counts as one request.
func TestListingsCountWhatTheyScan(t *testing.T) {
	t.Parallel()
	eachLimited(t, func(t *testing.T, s *trial.Service) {
		auth := s.SignUp(t)
		left := 100
		for i, c := range []struct {
			method, target, body string
			counts               int
		}{
			{"GET", "/api/v1/posts", "", 1},
			{"GET", "/api/v1/posts?page=1&limit=100&published=true&sort=-created_at", "", 1},
			{"GET", "/api/v1/categories/none/posts?cursor=", "", 1},
			{"GET", "/api/v1/posts?cursor=&category=science", "", 1},
			{"GET", "/api/v1/posts?category=science", "", 2},
			{"GET", "/api/v1/posts?search=nothing", "", 3},
			{"HEAD", "/api/v1/posts?search=nothing&cursor=", "", 3},
			{"GET", "/api/v1/search?q=nothing", "", 2},
			{"POST", "/graphql", `{"query":"{ postsConnection(first: 1, where: {or: [{titleContainsFold: \"nothing\"}, {contentContainsFold: \"nothing\"}]}) { totalCount } }"}`, 3},
		} {
			a := s.Ask(t, c.method, c.target, c.body, auth...)
			now, err := strconv.Atoi(a.Header.Get("X-RateLimit-Remaining"))
			if err != nil || a.Status >= 300 && a.Status != 404 {
				t.Fatalf("%s %s: %d, %v", c.method, c.target, a.Status, err)
			}
			if i > 0 && left-now != c.counts {
				t.Errorf("%s %s counts %d, want %d", c.method, c.target, left-now, c.counts)
			}
			left = now
		}
		for left > 2 {
			a := s.Ask(t, "GET", "/api/v1/posts", "", auth...)
			left, _ = strconv.Atoi(a.Header.Get("X-RateLimit-Remaining"))
		}
		over := s.Ask(t, "GET", "/api/v1/posts?search=nothing", "", auth...)
		over.Want(t, 429, "RATE_LIMIT_EXCEEDED", "this one counts 2 more, and 1 of 100", "its filters and its total cost 250")
		if reset, _ := strconv.ParseInt(over.Header.Get("X-RateLimit-Reset"), 10, 64); over.Header.Get("Retry-After") == "" || over.Header.Get("X-RateLimit-Remaining") != "1" || reset == 0 {
			t.Errorf("a refusal has %v", over.Header)
		}
		s.Ask(t, "GET", "/api/v1/posts", "", auth...).Want(t, 200)
		s.Ask(t, "GET", "/api/v1/posts", "", auth...).Want(t, 429)
	})
}

// eachLimited runs the test on services that let each caller ask a hundred
// times a day.
func eachLimited(t *testing.T, test func(t *testing.T, s *trial.Service)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, trial.Start(t, "ENTWINE_RATE_LIMIT=100/24h"))
	})
	t.Run("postgres and redis", func(t *testing.T) {
		t.Parallel()
		test(t, trial.Start(t, "ENTWINE_RATE_LIMIT=100/24h", "ENTWINE_DATABASE_URL="+migratetest.Schema(t).PostgresURL(t), "ENTWINE_REDIS_URL="+storetest.Redis(t).URL))
	})
}
