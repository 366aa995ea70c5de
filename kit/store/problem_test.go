package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"

	"entgo.io/ent/privacy"
	"github.com/lib/pq"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
)

// absent has the form of Ent's error of an absent row.
type absent struct{ error }

func (absent) NotFound() bool { return true }

func TestProblem(t *testing.T) {
	t.Parallel()
	conflict := problem.New(problem.Conflict, "it was paid")
	for _, c := range []struct {
		name string
		err  error
		want problem.Kind
	}{
		{"nothing", nil, problem.Internal},
		{"a problem", fmt.Errorf("pay: %w", conflict), problem.Conflict},
		{"no row", sql.ErrNoRows, problem.NotFound},
		{"no entity", absent{errors.New("post not found")}, problem.NotFound},
		{"a policy", privacy.Denyf("no"), problem.Forbidden},
		{"a value that the next version can not take", &pq.Error{Code: "23001", Constraint: "entwine_sync_posts_words"}, problem.Conflict},
		{"a lock that is held", &pq.Error{Code: "55P03"}, problem.Unavailable},
		{"a deadlock", &pq.Error{Code: "40P01"}, problem.Unavailable},
		{"a shutdown", &pq.Error{Code: "57P01"}, problem.Unavailable},
		{"a syntax error", &pq.Error{Code: "42601"}, problem.Internal},
		{"a caller that is gone", context.Canceled, problem.Internal},
		{"anything else", errors.New("x"), problem.Internal},
	} {
		if got := problem.KindOf(store.Problem(c.err)); got != c.want {
			t.Errorf("Problem of %s: kind %v, want %v", c.name, got, c.want)
		}
	}
}
