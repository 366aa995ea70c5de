package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"
)

// entwine is the program that is measured.
var entwine string

func TestMain(m *testing.M) {
	if url := os.Getenv("ENTWINE_BENCH_FLOOR"); url != "" {
		fmt.Fprintln(os.Stderr, serveFloor(url))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// build compiles entwine once.
func build(b *testing.B) {
	b.Helper()
	if entwine != "" {
		return
	}
	entwine = filepath.Join(b.TempDir(), "entwine")
	if out, err := exec.Command("go", "build", "-o", entwine, "github.com/entwine-go/entwine/cmd/entwine").CombinedOutput(); err != nil {
		b.Fatalf("go build: %v\n%s", err, out)
	}
}

func run(b *testing.B, env []string, name string, args ...string) string {
	b.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), env...)
	var log bytes.Buffer
	cmd.Stderr = &log
	out, err := cmd.Output()
	if err != nil {
		b.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, log.String())
	}
	return strings.TrimSpace(string(out))
}

// call is one request.
type call struct {
	method, path, body string
	token              string
	status             int
}

// scenario is what is asked of entwine, in one or both APIs, and of the floor.
type scenario struct {
	name  string
	floor call
	rest  *call
	gql   *call
	// aim is the multiple of the floor that is aimed for, in REST and GraphQL.
	aimREST, aimGraphQL float64
}

func (w *world) scenarios(b *testing.B) []scenario {
	b.Helper()
	graphql := func(query string) *call {
		body, err := json.Marshal(map[string]string{"query": query})
		if err != nil {
			b.Fatal(err)
		}
		return &call{method: "POST", path: "/graphql", body: string(body), status: 200}
	}
	get := func(path string) *call { return &call{method: "GET", path: path, status: 200} }
	const fields = "id title content published published_at:publishedAt archived_at:archivedAt likes_count:likesCount shares_count:sharesCount author_id:authorId category_id:categoryId created_at updated_at version deleted_at"
	restCursor, gqlCursor := w.cursors(b)
	return []scenario{
		{
			"get one", *get("/posts/77777"), get("/api/v1/posts/77777"),
			graphql(`{ post(id: "77777") { ` + fields + ` } }`), 1.35, 1.6,
		},
		{
			"list 20 with total", *get("/posts?author=7"), get("/api/v1/posts?author_id=7&limit=20&page=1"),
			graphql(`{ postsConnection(first: 20, where: {authorId: "7"}) { totalCount edges { node { ` + fields + ` } } } }`), 1.2, 1.4,
		},
		{
			"cursor page, deep", *get("/page?after=" + w.middle + "&after_id=50000"), get("/api/v1/posts?limit=20&cursor=" + restCursor),
			graphql(`{ postsConnection(first: 20, after: "` + gqlCursor + `") { pageInfo { hasNextPage endCursor } edges { node { ` + fields + ` } } } }`), 1.3, 1.5,
		},
		{
			"nested", call{method: "POST", path: "/graphql", body: "{}", status: 200}, nil,
			graphql(`{ postsConnection(first: 20) { nodes: edges { node { id title author { id name } commentsConnection(first: 5) { edges { node { id text author { id name } } } } } } } }`), 0, 1.6,
		},
		{
			"create a comment", call{method: "POST", path: "/posts/99999/comments", body: `{"text":"I could not agree more."}`, status: 201},
			&call{method: "POST", path: "/api/v1/posts/99999/comments", body: `{"text":"I could not agree more."}`, token: w.token, status: 201},
			nil, 1.3, 0,
		},
	}
}

// cursors returns the cursors of the post in the middle, in both APIs.
func (w *world) cursors(b *testing.B) (rest, gql string) {
	b.Helper()
	var page struct {
		Pagination struct {
			Next string `json:"next_cursor"`
		} `json:"pagination"`
	}
	next := ""
	for range posts / 2 / 100 {
		body := fetch(b, w.entwine.url, call{method: "GET", path: "/api/v1/posts?fields=id&limit=100&cursor=" + next, status: 200})
		if err := json.Unmarshal(body, &page); err != nil {
			b.Fatal(err)
		}
		next = page.Pagination.Next
	}
	return next, next
}

func fetch(b *testing.B, url string, c call) []byte {
	b.Helper()
	r, err := http.NewRequest(c.method, url+c.path, strings.NewReader(c.body))
	if err != nil {
		b.Fatal(err)
	}
	if c.body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		b.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		b.Fatal(err)
	}
	if resp.StatusCode != c.status || bytes.Contains(body, []byte(`"errors":`)) {
		b.Fatalf("%s %s: %s\n%s", c.method, c.path, resp.Status, body)
	}
	return body
}

// measure returns the whole CPU of one request, in microseconds.
func measure(b *testing.B, p *process, c call) float64 {
	for range 100 {
		fetch(b, p.url, c)
	}
	before := p.cpu(b)
	n := 0
	for b.Loop() {
		fetch(b, p.url, c)
		n++
	}
	cpu := float64(p.cpu(b)-before) / 1000 / float64(n)
	b.ReportMetric(cpu, "cpu-µs/op")
	return cpu
}

// BenchmarkRequests prints what each scenario costs in multiples of the floor.
func BenchmarkRequests(b *testing.B) {
	build(b)
	table := &bytes.Buffer{}
	out := tabwriter.NewWriter(table, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "\tdatabase\tfloor µs\tREST\taim\tGraphQL\taim\t")
	for _, name := range []string{"postgres", "sqlite3"} {
		b.Run(name, func(b *testing.B) {
			w := newWorld(b, name)
			for _, s := range w.scenarios(b) {
				var floor, rest, gql float64
				b.Run(s.name+"/floor", func(b *testing.B) { floor = measure(b, w.floor, s.floor) })
				if s.rest != nil {
					b.Run(s.name+"/rest", func(b *testing.B) { rest = measure(b, w.entwine, *s.rest) })
				}
				if s.gql != nil {
					b.Run(s.name+"/graphql", func(b *testing.B) { gql = measure(b, w.entwine, *s.gql) })
				}
				fmt.Fprintf(out, "%s\t%s\t%.0f\t%s\t%s\t%s\t%s\t\n", s.name, name, floor,
					multiple(rest/floor), multiple(s.aimREST), multiple(gql/floor), multiple(s.aimGraphQL))
			}
		})
	}
	_ = out.Flush()
	// Not b.Log: a benchmark without a figure of its own shows no log.
	fmt.Printf("\nwhole-request CPU in multiples of the floor\n%s\n", table)
}

func multiple(f float64) string {
	if f == 0 {
		return "-"
	}
	return strconv.FormatFloat(f, 'f', 2, 64)
}
