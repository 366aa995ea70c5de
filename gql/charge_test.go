package gql_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/ratelimit"
	"github.com/entwine-go/entwine/kit/viewer"
)

// purse is charged until it is empty.
type purse struct{ left, low int }

func (p *purse) Left() int { return p.left }

func (p *purse) Charge(_ context.Context, n int) (ratelimit.Result, error) {
	if n > p.left {
		return ratelimit.Result{}, problem.New(problem.RateLimited, "too many requests")
	}
	p.left -= n
	p.low = min(p.low, p.left)
	return ratelimit.Result{Allowed: true, Taken: n}, nil
}

func (p *purse) Return(_ context.Context, _ ratelimit.Result, n int) { p.left += n }

// lowest returns how little was left since it was asked the last time.
func (p *purse) lowest() int {
	low := p.low
	p.low = p.left
	return low
}

func TestCostIsCharged(t *testing.T) {
	each(t, func(w *world) {
		p := &purse{left: 12, low: 12}
		send := func(query string) *httptest.ResponseRecorder {
			r := httptest.NewRequest("POST", "/graphql", strings.NewReader(`{"query": "`+query+`"}`))
			r.Header.Set("Content-Type", "application/json")
			ctx := ratelimit.WithAccount(viewer.With(w.Context(), w.viewers["ada"]), p)
			answer := httptest.NewRecorder()
			w.ServeHTTP(answer, r.WithContext(ctx))
			return answer
		}
		for _, c := range []struct {
			query             string
			low, left, status int
			told              string
		}{
			{"{ __typename }", 12, 12, 200, `{"data":{"__typename":"Query"},"extensions":{"cost":{"requested":1,"actual":1,"limit":5000,"remaining":1200}}}`},
			{"{ users(limit: 99) { id name } }", 11, 12, 200, `"requested":199,"actual":7,"limit":5000,"remaining":1200`},
			{"{ users(limit: 50) { posts { id title } } }", 12, 12, 429, `too many requests; the operation costs 2051, its costliest path is users.posts: ask for smaller pages`},
			{"mutation { login(email: \\\"a@example.com\\\", password: \\\"wrong horse 1\\\") { __typename } }", 7, 7, 200, `"requested":502,"actual":501,`},
			{"{ usersConnection(first: 2) { totalCount edges { node { id name } } } }", 7, 7, 200, `"requested":60,"actual":59,`},
			{"{ usersConnection(first: 0) { pageInfo { hasNextPage } edges { node { id } } nodes { id } totalCount } }", 7, 7, 200, `"requested":56,"actual":56,`},
			{"{ __schema { queryType { name } } __type(name: \\\"User\\\") { name } }", 5, 5, 200, `"requested":200,"actual":200,`},
		} {
			got := send(c.query)
			if low := p.lowest(); got.Code != c.status || p.left != c.left || low != c.low {
				w.Errorf("%s: %d, %d are left and were %d, want %d, %d and %d: %s", c.query, got.Code, p.left, low, c.status, c.left, c.low, got.Body)
			}
			if !strings.Contains(got.Body.String(), c.told) {
				w.Errorf("%s: %s, want %s", c.query, got.Body, c.told)
			}
		}
	})
}
