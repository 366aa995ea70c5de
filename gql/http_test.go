package gql_test

import (
	"fmt"
	"log/slog"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/graph"
)

func TestHTTP(t *testing.T) {
	each(t, func(w *world) {
		const query = `{"query": "{ __typename }"}`
		for story, c := range map[string]struct {
			method, media, accept, body string
			status                      int
			want                        string
		}{
			"a query":                 {"POST", "application/json", "", query, 200, `{"data":{"__typename":"Query"}`},
			"with a charset":          {"POST", "application/json; charset=utf-8", "", query, 200, `{"data":{"__typename":"Query"}`},
			"a form":                  {"POST", "application/x-www-form-urlencoded", "", "query=x", 415, `UNSUPPORTED_MEDIA_TYPE`},
			"a form with a file":      {"POST", "multipart/form-data; boundary=x", "", "--x--", 415, `the body must be application/json`},
			"no media type":           {"POST", "", "", query, 415, `UNSUPPORTED_MEDIA_TYPE`},
			"no JSON":                 {"POST", "application/json", "", `{"query": "secret`, 400, `BAD_USER_INPUT`},
			"another method":          {"PUT", "application/json", "", query, 405, `METHOD_NOT_ALLOWED`},
			"too large":               {"POST", "application/json", "", `{"query": "` + strings.Repeat(" ", 1<<20) + `"}`, 413, `PAYLOAD_TOO_LARGE`},
			"a document that is none": {"POST", "application/json", "", `{"query": "{"}`, 200, `GRAPHQL_PARSE_FAILED`},
			"an unknown field":        {"POST", "application/json", "", `{"query": "{ nothing }"}`, 200, `GRAPHQL_VALIDATION_FAILED`},
			"an unknown field, in GraphQL's media type":   {"POST", "application/json", "application/graphql-response+json", `{"query": "{ nothing }"}`, 400, `GRAPHQL_VALIDATION_FAILED`},
			"a failed operation":                          {"POST", "application/json", "", `{"query": "{ users { id } }"}`, 200, `{"data":null,"errors":[{"message":"token required","path":["users"],"locations":[{"line":1,"column":3}],"extensions":{"code":"UNAUTHENTICATED","status":401}}]`},
			"a failed operation, in GraphQL's media type": {"POST", "application/json", "application/graphql-response+json", `{"query": "{ users { id } }"}`, 401, `UNAUTHENTICATED`},
			"a partial result":                            {"POST", "application/json", "application/graphql-response+json", `{"query": "{ user(id: 1) { id } posts { id } }"}`, 200, `{"data":{"user":null,"posts":[]`},
			"a missing variable":                          {"POST", "application/json", "", `{"query": "query($id: ID!) { user(id: $id) { id } }"}`, 200, `GRAPHQL_VALIDATION_FAILED`},
			"an operation that is not there":              {"POST", "application/json", "", `{"query": "query A { __typename }", "operationName": "B"}`, 200, `GRAPHQL_VALIDATION_FAILED`},
			"no query":                                    {"POST", "application/json", "", `{}`, 400, `BAD_USER_INPUT`},
			"variables that are none":                     {"POST", "application/json", "", `{"query": "{ __typename }", "variables": 1}`, 400, `BAD_USER_INPUT`},
			"half of a character":                         {"POST", "application/json", "", `{"query": "# \\ud800\n{ posts(where: {title: \"q\\ud800\"}) { id } }"}`, 200, `"message":"Invalid character escape sequence: \\ud800 is half of a surrogate pair.","locations":[{"line":2,"column":26}],"extensions":{"code":"GRAPHQL_PARSE_FAILED"`},
			"the other half of a character":               {"POST", "application/json", "application/graphql-response+json", `{"query": "query($a: String = \"\\ude00\\ud83d\") { __typename @include(if: true) a: __typename }"}`, 400, `GRAPHQL_PARSE_FAILED`},
			"a character of two escapes":                  {"POST", "application/json", "", `{"query": "{ postsConnection(where: {title: \"\\\\ud800 \\ud83d\\ude00 \\u0041\"}) { totalCount } }"}`, 200, `"totalCount":0`},
			"an escape in a block of text":                {"POST", "application/json", "", `{"query": "{ postsConnection(where: {title: \"\"\"\\\"\"\"\\ud800\"\"\"}) { totalCount } }"}`, 200, `"totalCount":0`},
			"a name twice":                                {"POST", "application/json", "", `{"query": "{ __typename }", "query": "{ secret }"}`, 400, `BAD_USER_INPUT`},
		} {
			r := httptest.NewRequest(c.method, "/graphql", strings.NewReader(c.body))
			r.Header.Set("Content-Type", c.media)
			r.Header.Set("Accept", c.accept)
			recorder := httptest.NewRecorder()
			w.ServeHTTP(recorder, r)
			got := recorder.Body.String()
			if recorder.Code != c.status || !strings.Contains(got, c.want) || strings.Contains(got, "secret") {
				w.Errorf("%s: %d %s, want %d %s", story, recorder.Code, got, c.status, c.want)
			}
			if media := recorder.Header().Get("Content-Type"); c.accept != "" && !strings.HasPrefix(media, c.accept) {
				w.Errorf("%s: answered as %s", story, media)
			}
		}
	})
}

// A query string is validated as a body is: it is never answered as another text than the
// one that was sent.
func TestQueryStringsAreJudgedAsBodies(t *testing.T) {
	each(t, func(w *world) {
		const document = `query($t: String!) { searchPosts(query: $t) { id } }`
		for variables, status := range map[string]int{
			`{"t":"lamp"}`: 200, `{"t":"\ud83d\ude00"}`: 200,
			`{"t":"a\ud83d"}`: 400, `{"t":"\u0000"}`: 400, `{"t":"a","t":"b"}`: 400, `{"t":"a"} 1`: 400, `{"t":` + "\"\xff\"}": 400,
		} {
			for _, name := range []string{"variables", "extensions"} {
				query := url.Values{"query": {document}, "variables": {`{"t":"a"}`}}
				query.Set(name, variables)
				recorder := httptest.NewRecorder()
				w.ServeHTTP(recorder, httptest.NewRequest("GET", "/graphql?"+query.Encode(), nil))
				if recorder.Code != status {
					w.Errorf("%s=%q: %d %s, want %d", name, variables, recorder.Code, recorder.Body, status)
				}
			}
		}
	})
}

// Names are suggested, but not in documents too long to be written by hand.
func TestSuggestions(t *testing.T) {
	each(t, func(w *world) {
		for _, document := range []string{`{ users { nam } }`, `{ user(idd: 1) { id } }`, `{ usersConnection(where: {namee: "Ada"}) { totalCount } }`} {
			if a := w.as("ada", document); !strings.Contains(a.Errors[0].Message, "Did you mean") {
				w.Errorf("%s: %q suggests nothing", document, a.Errors[0].Message)
			}
			if a := w.as("ada", document+strings.Repeat(" ", 4096)); len(a.Errors) == 0 || strings.Contains(a.Errors[0].Message, "Did you mean") {
				w.Errorf("%s and 4 KiB: %+v, want an error that suggests nothing", document, a.Errors)
			}
		}
	})
}

func TestHiddenSchema(t *testing.T) {
	each(t, func(w *world) {
		w.Handler = over(w, w.db, graph.Options{Logger: slog.New(slog.DiscardHandler), HideSchema: true})
		a := w.as("ada", `{ __schema { types { name } } }`)
		if a.Errors == nil || strings.Contains(string(a.Data), "types") {
			w.Errorf("introspection answered %s", a.Data)
		}
		for _, document := range []string{
			`{ users { nam } }`, `{ users }`, `{ users { id { name } } }`, `{ user(idd: 1) { id } }`, `{ me { id @skip(iff: true) } }`,
			`{ usersConnection(where: {namee: "Ada"}) { totalCount } }`, `{ usersConnection(orderBy: {field: NAMEE}) { totalCount } }`,
			`{ usersConnection(orderBy: {field: "NAME"}) { totalCount } }`, `query ($w: UserWhereInputt) { me { id } }`, `{ ... on Usr { id } }`,
		} {
			for _, e := range w.as("ada", document).Errors {
				if strings.Contains(e.Message, "Did you mean") {
					w.Errorf("%s: an error suggests %q", document, e.Message)
				}
			}
		}
		if a := w.as("ada", "{"+strings.Repeat(" nobody", 1000)+" }"); len(a.Errors) > 20 {
			w.Errorf("one mistake is %d errors", len(a.Errors))
		}
		w.as("ada", `{ users(limit: 1) { name __typename } }`).wants(w.T, `{"users":[{"name":"Mia","__typename":"User"}]}`)
	})
}

func TestInternalErrorsAreMasked(t *testing.T) {
	each(t, func(w *world) {
		w.post(1, "First", 1)
		if _, err := w.db.ExecContext(w.Context(), "ALTER TABLE comments RENAME TO gone"); err != nil {
			w.Fatal(err)
		}
		a := w.as("bob", `{ user(id: 1) { name } post(id: 1) { comments { id } } }`)
		a.wants(w.T, `{"user":{"name":"Ada"},"post":null}`, "post INTERNAL_SERVER_ERROR")
		if e := a.Errors[0]; e.Message != "internal error" || e.Extensions["request_id"] != "r1" {
			w.Errorf("the client reads %+v", e)
		}
		if log := w.log.String(); !strings.Contains(log, "comments") || !strings.Contains(log, "request_id=r1") {
			w.Errorf("the log does not say why: %s", log)
		}
	})
}

func TestLimits(t *testing.T) {
	each(t, func(w *world) {
		w.comment(2, w.post(1, "First", 1), "…")
		nested := func(levels int) string {
			return `{ post(id: 1) {` + strings.Repeat(` author { posts(first: 1) {`, (levels-2)/2) + ` id ` + strings.Repeat(`} }`, (levels-2)/2) + `} }`
		}
		roots := func(n int) string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, " a%d: user(id: 1) { id }", i)
			}
			return "{" + b.String() + "}"
		}
		fields := func(n int) string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, " a%d: title", i)
			}
			return "{ post(id: 1) {" + b.String() + "} }"
		}
		logins := func(n int) string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, ` a%d: login(email: "a%d@example.com", password: "x") { requires2FA }`, i, i)
			}
			return "mutation {" + b.String() + "}"
		}
		for query, refused := range map[string]bool{
			nested(12): false,
			nested(14): true,
			roots(20):  false,
			roots(21):  true,
			fields(30): false,
			fields(31): true,
			`{ posts { title author { name } comments { text author { name } } } }`:                                                               false,
			`{ usersConnection(first: 49) { nodes { posts(first: 100) { id } } } }`:                                                               false,
			`{ usersConnection(first: 50) { nodes { posts(first: 100) { id } } } }`:                                                               true,
			`{ users(limit: 100) { posts { comments { id } } } }`:                                                                                 true,
			`{ a: __schema { types { fields { type { ofType { ofType { ofType { ofType { ofType { ofType { ofType { name } } } } } } } } } } } }`: false,
			logins(10): true,
			"{" + strings.Repeat(" __typename", 2000) + "}": true,
		} {
			a := w.as("ada", query)
			got := len(a.Errors) == 1 && (a.codes()[0] == " QUERY_TOO_COMPLEX" || strings.HasPrefix(a.codes()[0], " GRAPHQL_"))
			if got != refused || !refused && a.Errors != nil {
				w.Errorf("%.60s…: %q, refused should be %v", query, a.codes(), refused)
			}
			if refused && len(w.statements) > 0 {
				w.Errorf("%.60s…: refused, and read %q", query, w.statements)
			}
		}
	})
}
