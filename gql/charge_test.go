package gql_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/problem"
	"github.com/entwine-go/entwine/internal/ratelimit"
	"github.com/entwine-go/entwine/internal/viewer"
)

// purse is charged until it is empty.
type purse struct{ left int }

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
		}{
			{"{ __typename }", 12, 200},
			{"{ users(limit: 99) { id name } }", 11, 200},            // 199
			{"{ users(limit: 50) { posts { id title } } }", 11, 429}, // 2051
			{"{ users(limit: 1) { id } }", 11, 200},
		} {
			got := send(c.query)
			if got.Code != c.status || p.left != c.left {
				w.Errorf("%s: %d, %d are left, want %d and %d: %s", c.query, got.Code, p.left, c.status, c.left, got.Body)
			}
			if c.status == 429 && !strings.Contains(got.Body.String(), `"RATE_LIMIT_EXCEEDED"`) {
				w.Errorf("the refusal is %s", got.Body)
			}
		}
	})
}
