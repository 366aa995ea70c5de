package gql_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/ratelimit"
	"github.com/entwine-go/entwine/kit/viewer"
)

// purse is charged until it is empty.
type purse struct{ left int }

func (p *purse) Left() int { return p.left }

func (p *purse) Charge(_ context.Context, n int) error {
	if n > p.left {
		return problem.New(problem.RateLimited, "too many requests")
	}
	p.left -= n
	return nil
}

func TestCostIsCharged(t *testing.T) {
	each(t, func(w *world) {
		p := &purse{left: 12}
		send := func(query string) *httptest.ResponseRecorder {
			r := httptest.NewRequest("POST", "/graphql", strings.NewReader(`{"query": "`+query+`"}`))
			r.Header.Set("Content-Type", "application/json")
			ctx := ratelimit.WithAccount(viewer.With(w.Context(), w.viewers["ada"]), p)
			answer := httptest.NewRecorder()
			w.ServeHTTP(answer, r.WithContext(ctx))
			return answer
		}
		for _, c := range []struct {
			query        string
			left, status int
			told         string
		}{
			{"{ __typename }", 12, 200, `{"data":{"__typename":"Query"},"extensions":{"cost":{"requested":1,"actual":1,"limit":5000,"remaining":1200}}}`},
			{"{ users(limit: 99) { id name } }", 11, 200, `"requested":199,"actual":7,"limit":5000,"remaining":1100`},
			{"{ users(limit: 50) { posts { id title } } }", 11, 429, `"RATE_LIMIT_EXCEEDED"`}, // 2051
			{"{ usersConnection(first: 2) { totalCount edges { node { id name } } } }", 11, 200, `"requested":10,"actual":9,`},
			{"{ usersConnection(first: 0) { pageInfo { hasNextPage } edges { node { id } } nodes { id } totalCount } }", 11, 200, `"requested":6,"actual":6,`},
			{"{ __schema { queryType { name } } __type(name: \\\"User\\\") { name } }", 11, 200, `"requested":0,"actual":0,`},
		} {
			got := send(c.query)
			if got.Code != c.status || p.left != c.left {
				w.Errorf("%s: %d, %d are left, want %d and %d: %s", c.query, got.Code, p.left, c.status, c.left, got.Body)
			}
			if !strings.Contains(got.Body.String(), c.told) {
				w.Errorf("%s: %s, want %s", c.query, got.Body, c.told)
			}
		}
	})
}
