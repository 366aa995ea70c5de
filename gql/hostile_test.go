package gql_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/graph"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// nest writes a document that goes down a number of levels.
func nest(levels int, down string) string {
	return "{ user(id: 1) { " + strings.Repeat(down+" { ", levels) + "id" + strings.Repeat(" }", levels) + " } }"
}

// fragments writes n fragments, each of which spreads the next so many times;
// the last has the end.
func fragments(n, times int, end string) string {
	var b strings.Builder
	for i := range n {
		body := end
		if i < n-1 {
			body = strings.Repeat(fmt.Sprintf("posts { author { ...F%d } } ", i+1), times)
			if times > 1 {
				body = ""
				for j := range times {
					body += fmt.Sprintf("a%d: posts { author { ...F%d } } ", j, i+1)
				}
			}
		}
		fmt.Fprintf(&b, " fragment F%d on User { %s }", i, body)
	}
	return "{ user(id: 1) { ...F0 } }" + b.String()
}

// spreads writes n fragments of the same level, each of which spreads the next twice.
func spreads(n int) string {
	var b strings.Builder
	for i := range n {
		end := "id"
		if i < n-1 {
			end = fmt.Sprintf("...S%d ...S%d", i+1, i+1)
		}
		fmt.Fprintf(&b, " fragment S%d on User { %s }", i, end)
	}
	return "{ user(id: 1) { ...S0 } }" + b.String()
}

// deferredSpreads writes n fragments, each of which defers the next twice.
func deferredSpreads(n int) string {
	var b strings.Builder
	for i := range n {
		end := "id"
		if i < n-1 {
			end = fmt.Sprintf(`...S%d @defer(label: "a%d") ...S%d @defer(label: "b%d")`, i+1, i, i+1, i)
		}
		fmt.Fprintf(&b, " fragment S%d on User { %s }", i, end)
	}
	return "{ user(id: 1) { ...S0 } }" + b.String()
}

func times(n int, format string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(format, "#", fmt.Sprint(i)) + " ")
	}
	return b.String()
}

// hostile are documents that ask for more than any client needs, by what they are.
var hostile = map[string]string{
	"nothing":                               "",
	"no operation":                          "fragment F on User { id }",
	"13 levels":                             nest(6, "posts { author") + strings.Repeat(" }", 6),
	"100 levels":                            nest(100, "posts { author") + strings.Repeat(" }", 100),
	"20,000 levels":                         nest(20000, "posts"),
	"100,000 braces":                        strings.Repeat("{", 100000),
	"100,000 brackets in a literal":         "{ user(id: " + strings.Repeat("[", 100000) + ") { id } }",
	"a literal of 1,000 lists":              "{ user(id: " + strings.Repeat("[", 1000) + "1" + strings.Repeat("]", 1000) + ") { id } }",
	"a filter of 300 levels":                `{ usersConnection(where: ` + strings.Repeat("{not: ", 300) + "{}" + strings.Repeat("}", 300) + `) { totalCount } }`,
	"31 aliases":                            "{ user(id: 1) { " + times(31, "a#: id") + "} }",
	"600 aliases":                           "{ user(id: 1) { " + times(600, "a#: id") + "} }",
	"50,000 aliases":                        "{ user(id: 1) { " + times(50000, "a#: id") + "} }",
	"21 root fields":                        "{ " + times(21, "r#: user(id: 1) { id }") + "}",
	"the same field 3,000 times":            "{ user(id: 1) { " + times(3000, "id") + "} }",
	"one mistake 1,900 times":               "{ " + times(1900, "nobody") + "}",
	"misspelt names, 1,900 times":           "{ " + times(1900, "usersConnectio#") + "}",
	"long names that are misspelt":          "{ " + times(1900, "users"+strings.Repeat("x", 200)+"#") + "}",
	"a filter of long names":                "{ usersConnection(where: {" + times(480, "name"+strings.Repeat("x", 200)+"#: 1") + "}) { totalCount } }",
	"a mistake among 1,900 fields":          "{ user(id: 1) { nobody " + times(1900, "id") + "} }",
	"a mistake in one of 40 fragments":      "{ nobody " + times(40, "...F#") + "}" + times(40, "fragment F# on Query { "+times(38, "__typename")+"}"),
	"a mistake below fields of fields":      "{ nobody " + times(40, "user(id: 1) { "+times(36, "id")+"}") + "}",
	"one name of a megabyte":                "{ " + strings.Repeat("x", 1000000) + " }",
	"an id of a megabyte":                   `{ user(id: "` + strings.Repeat("1", 1000000) + `") { id } }`,
	"a number of 100,000 digits":            "{ users(limit: " + strings.Repeat("9", 100000) + ") { id } }",
	"a block string of a megabyte":          `{ searchUsers(query: """` + strings.Repeat("x\n", 400000) + `""") { id } `,
	"a comment of a megabyte":               "{ nobody } #" + strings.Repeat("x", 1000000),
	"commas of a megabyte":                  "{ nobody " + strings.Repeat(",", 1000000) + " }",
	"lists of lists":                        "{ users(limit: 100) { posts(first: 100) { comments(first: 100) { id } } } }",
	"first: 2147483647, nested":             "{ usersConnection(first: 2147483647) { nodes { postsConnection(first: 2147483647) { nodes { id title } } } } }",
	"a fragment that spreads itself":        "{ user(id: 1) { ...F } } fragment F on User { id ...F }",
	"two that spread each other":            "{ user(id: 1) { ...F } } fragment F on User { ...G } fragment G on User { ...F }",
	"a circle below fields":                 "{ user(id: 1) { ...F } } fragment F on User { posts { author { ...F } } }",
	"a circle of 100":                       fragments(100, 1, "...F0"),
	"fragments that double 20 times":        fragments(20, 2, "id"),
	"fragments that triple 12 times":        fragments(12, 3, "id"),
	"a chain of 200 fragments":              fragments(200, 1, "id"),
	"spreads that double 300 times":         spreads(300),
	"a fragment nobody knows, 600 times":    "{ user(id: 1) { " + times(600, "...N#") + "} }",
	"a directive repeated 600 times":        "{ user(id: 1) { id " + strings.Repeat("@include(if: true) ", 600) + "} }",
	"unknown directives":                    "{ user(id: 1) { id " + times(600, "@d#") + "} }",
	"600 variables":                         "query(" + times(600, "$v#: Int") + ") { user(id: 1) { id } }",
	"a variable used before it is declared": "{ user(id: $id) { id } }",
	"600 operations":                        times(600, "query Q# { __typename }"),
	"introspection, nested":                 "{ __schema { types { " + strings.Repeat("fields { type { ", 60) + "name" + strings.Repeat(" } }", 60) + " } } }",
	"fields that conflict, 300 times":       "{ user(id: 1) { " + times(300, "a: id a: name") + "} }",
	"inline fragments of 300 levels":        "{ user(id: 1) { " + strings.Repeat("... on User { ", 300) + "posts(first: 100) { comments(first: 100) { author { posts { id } } } }" + strings.Repeat(" }", 300) + " } }",
	"21 fragments that are deferred":        "{ user(id: 1) { " + times(21, `... @defer(label: "l#") { id }`) + "} }",
	"deferred fragments that double":        deferredSpreads(60),
	"fragments on types that don't fit":     "{ user(id: 1) { " + times(300, "... on Post { id }") + "} }",
	"an enum that is none, 300 times":       "{ usersConnection(orderBy: [" + times(300, "{field: NOBODY}") + "]) { totalCount } }",
}

// A document that asks for too much is refused before anything is read, and
// costs little: less than 10 MB, however large or crooked it is. How long each
// takes is for BenchmarkHostileDocuments to say.
func TestHostileDocumentsAreRefused(t *testing.T) {
	db, err := store.Open(t.Context(), store.Config{URL: migratetest.Schema(t).SQLiteURL(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	h := over(t, db, graph.Options{Logger: slog.New(slog.DiscardHandler)})
	for story, document := range hostile {
		log := &store.Log{}
		var before, after runtime.MemStats
		r := hostileRequest(t, document)
		r = r.WithContext(viewer.With(store.WithStatementLog(t.Context(), log), &viewer.Viewer{UserID: 1, Role: viewer.Admin}))
		answer := httptest.NewRecorder()
		runtime.ReadMemStats(&before)
		h.ServeHTTP(answer, r)
		runtime.ReadMemStats(&after)
		var got struct {
			Data   map[string]any
			Errors []struct{ Message string }
		}
		if err := json.Unmarshal(answer.Body.Bytes(), &got); err != nil {
			t.Fatalf("%s: %v: %.200s", story, err, answer.Body)
		}
		for _, answered := range got.Data {
			if answered != nil {
				t.Errorf("%s: %.300s, want it refused", story, answer.Body)
			}
		}
		if len(got.Errors) == 0 {
			t.Errorf("%s: %.300s, want it refused", story, answer.Body)
		}
		if n := len(log.Statements()); n > 0 {
			t.Errorf("%s: %d statements were run", story, n)
		}
		if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 10<<20 {
			t.Errorf("%s: %d KiB were allocated", story, allocated>>10)
		}
		if answer.Body.Len() > 64<<10 {
			t.Errorf("%s: the answer has %d KiB", story, answer.Body.Len()>>10)
		}
	}
}

func hostileRequest(t testing.TB, document string) *http.Request {
	t.Helper()
	body, err := json.Marshal(map[string]string{"query": document})
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodPost, "/graphql", bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	return r
}

// BenchmarkHostileDocuments says how long the worst of them takes.
func BenchmarkHostileDocuments(b *testing.B) {
	db, err := store.Open(b.Context(), store.Config{URL: migratetest.Schema(b).SQLiteURL(b)})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = db.Close() })
	h := over(b, db, graph.Options{Logger: slog.New(slog.DiscardHandler)})
	var worst time.Duration
	for b.Loop() {
		for story, document := range hostile {
			r := hostileRequest(b, document)
			start := time.Now()
			h.ServeHTTP(&sink{header: http.Header{}}, r.WithContext(viewer.With(b.Context(), &viewer.Viewer{UserID: 1, Role: viewer.Admin})))
			if took := time.Since(start); took > worst {
				worst = took
				b.Logf("%s: %s", story, took)
			}
		}
	}
	b.ReportMetric(float64(worst.Microseconds())/1000, "worst-ms")
}

// Fields that repeat each other are merged before they are compared: conflicts
// are found however deep they are below repetitions, and nothing else is one.
func TestRepeatedFieldsAreMerged(t *testing.T) {
	each(t, func(w *world) {
		w.post(1, "First", 1)
		for document, conflict := range map[string]bool{
			`{ user(id: 1) { id id name } user(id: 1) { name id } }`:                                                        false,
			`{ user(id: 1) { a: id } user(id: 1) { a: name } }`:                                                             true,
			`{ user(id: 1) { id } user(id: 2) { id } }`:                                                                     true,
			`{ user(id: "1") { id } user(id: """1""") { id } }`:                                                             true,
			`{ user(id: 1) { posts { a: id } } user(id: 1) { ... on User { posts { a: title } } } }`:                        true,
			`{ user(id: 1) { ...F } user(id: 1) { ...G } } fragment F on User { a: id } fragment G on User { a: name }`:     true,
			`{ user(id: 1) { ...F ...F } user(id: 1) { ...F a: id } } fragment F on User { a: id }`:                         false,
			`{ user(id: 1) { ... { a: id } ... { a: id } ... { a: name } } }`:                                               true,
			`{ node(id: "VXNlcjox") { ... on User { a: id } ... on Post { a: title } ... on User { a: id } } }`:             true,
			`{ node(id: "VXNlcjox") { ... on User { a: name } ... on Post { a: title } ... on User { a: name } } }`:         false,
			`{ node(id: "VXNlcjox") { ... on User { a: name } ... on Post { a: title } ... on User { a: email } } }`:        true,
			`query ($x: Boolean!) { user(id: 1) { a: id @skip(if: $x) } user(id: 1) { a: name @include(if: $x) } }`:         true,
			`{ users(limit: 1) { id } users(limit: 1) { id } }`:                                                             false,
			`{ usersConnection(where: {name: "Ada"}) { totalCount } usersConnection(where: {name: "Bob"}) { totalCount } }`: true,
		} {
			found := false
			for _, e := range w.as("ada", document).Errors {
				found = found || strings.Contains(e.Message, "conflict because")
			}
			if found != conflict {
				w.Errorf("%s: a conflict was found: %t, want %t", document, found, conflict)
			}
		}
	})
}
