package graph_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/graph"
	"github.com/entwine-go/entwine/kit/graph/execute"
	"github.com/entwine-go/entwine/kit/problem"
)

// writesSDL are mutations: byHand has a resolver, the others are declared.
var writesSDL = &ast.Source{Name: "odd.graphql", Input: `
	type Mutation { byHand: String add(n: Int! = 1, idempotencyKey: String): Count! fail(way: String!): Count all: [Count!] }
	"How many." type Count { so_far: Int! soFar: Int when: String of: [Count!] deletedID: ID }`}

type count struct {
	SoFar int      `json:"so_far"`
	When  *string  `json:"when,omitempty"`
	Of    []*count `json:"of"`
}

// declared is an API with those mutations. The writes are added to the resolved fields of
// the service.
func declared() (*graph.Server, *service) {
	s := newService("by hand", writesSDL)
	c := config(s)
	sum := 0
	c.Writes = map[string]execute.Write{
		"add": func(ctx context.Context, a map[string]any) (any, error) {
			if a["idempotencyKey"] != nil {
				execute.Replay(ctx)
			}
			sum += int(a["n"].(int64))
			s.resolved = append(s.resolved, fmt.Sprint("add ", a["n"], " ", a["idempotencyKey"]))
			return count{SoFar: sum, Of: []*count{{SoFar: 1}}}, nil
		},
		"fail": func(_ context.Context, a map[string]any) (any, error) {
			s.resolved = append(s.resolved, "fail")
			if a["way"] == "panic" {
				panic("a secret")
			}
			return nil, problem.Inputs(problem.Rulef("input.n", 5, "must be less"))
		},
		"all": func(context.Context, map[string]any) (any, error) {
			return []any{map[string]any{"soFar": 1, "so_far": 2}, count{SoFar: 3}}, nil
		},
	}
	return graph.New(c), s
}

func TestWrites(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ query, want, done string }{
		{`mutation { a: add { so_far soFar } byHand b: add(n: 5) { __typename soFar of { so_far when } } c: byHand }`,
			`{"data":{"a":{"so_far":1,"soFar":1},"byHand":"by hand","b":{"__typename":"Count","soFar":6,"of":[{"so_far":1,"when":null}]},"c":"by hand"},`,
			"add 1 <nil>, byHand, add 5 <nil>, c"},
		{`mutation { a: byHand b: fail(way: "") { so_far } c: add { so_far } }`,
			`{"data":{"a":"by hand","b":null,"c":{"so_far":1}},"errors":[{"message":"input.n: must be less","path":["b"],"locations":[{"line":1,"column":22}],` +
				`"extensions":{"code":"BAD_USER_INPUT","fields":[{"field":"input.n","message":"must be less","value":5}],"status":422}}]`,
			"a, fail, add 1 <nil>"},
		{`mutation { fail(way: "panic") { so_far } add { so_far } }`,
			`{"data":{"fail":null,"add":{"so_far":1}},"errors":[{"message":"internal error","path":["fail"],`, "fail, add 1 <nil>"},
		{`mutation { ...F @skip(if: true) add @include(if: false) { soFar } ... on Mutation { all { ...C } } __typename } fragment F on Mutation { byHand } fragment C on Count { soFar so_far }`,
			`{"data":{"all":[{"soFar":1,"so_far":2},{"soFar":3,"so_far":3}],"__typename":"Mutation"},`, ""},
		{`mutation { add(n: 2147483647) { soFar } }`, `{"data":{"add":{"soFar":2147483647}},`, "add 2147483647 <nil>"},
	} {
		api, s := declared()
		got := ask(api, c.query)
		if !strings.HasPrefix(got, "200 "+c.want) {
			t.Errorf("%s\n got %s\nwant %s", c.query, got, c.want)
		}
		if done := strings.Join(s.resolved, ", "); done != c.done {
			t.Errorf("%s did %q, want %q", c.query, done, c.done)
		}
	}
}

// The header Idempotency-Key is the argument of a document with one mutation,
// and a mistake with any other.
func TestKeyInAHeader(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		key, query string
		status     int
		done, want string
	}{
		{`k1`, `mutation { add { soFar } }`, 200, "add 1 k1", ""},
		{`"k1"`, `mutation { add(n: 2, idempotencyKey: "k1") { soFar } __typename }`, 200, `add 2 "k1"`, ""},
		{`k1`, `mutation { add(idempotencyKey: null) { soFar } }`, 200, "add 1 k1", ""},
		{`k1`, `mutation { byHand @skip(if: true) add { soFar } }`, 200, "add 1 k1", ""},
		{`k1`, `mutation { add(idempotencyKey: "k2") { soFar } }`, 400, "", "differ"},
		{`k1`, `mutation { add { soFar } b: add { soFar } }`, 400, "", "this one has 2"},
		{`k1`, `mutation { byHand }`, 400, "", "not for byHand"},
		{`k1`, `{ name }`, 400, "", "this one has 0"},
		{``, `mutation { add { soFar } }`, 400, "", "Idempotency-Key: is empty"},
	} {
		api, s := declared()
		for _, accept := range []string{"", "application/graphql-response+json", "text/event-stream"} {
			s.resolved = nil
			r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(fmt.Sprintf(`{"query":%q}`, c.query)))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Idempotency-Key", c.key)
			r.Header.Set("Accept", accept)
			w := httptest.NewRecorder()
			api.ServeHTTP(w, r)
			if done := strings.Join(s.resolved, ", "); done != c.done || w.Code != c.status || !strings.Contains(w.Body.String(), c.want) {
				t.Errorf("%s with %s by %s: %d, did %q, %s", c.query, c.key, accept, w.Code, done, w.Body)
			}
			if replayed := w.Header().Get("Idempotency-Replayed") == "true"; replayed != (c.status == 200) && accept != "text/event-stream" {
				t.Errorf("%s by %s: replayed is %t", c.query, accept, replayed)
			}
		}
	}
}
