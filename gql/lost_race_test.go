package gql_test

import (
	"testing"

	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/viewer"
)

func TestAWriteThatLostARaceIsAConflict(t *testing.T) {
	each(t, func(w *world) {
		reader := &reading.Reader{DB: w.db, Dialect: w.db.Dialect}
		for who, kind := range map[string]problem.Kind{"ada": problem.Conflict, "mia": problem.Forbidden} {
			// The write touched no row, and by now the row is there: who may delete it came too early.
			err := reader.Why(viewer.With(w.Context(), w.viewers[who]), entity.User, 2, policy.Delete)
			if problem.KindOf(err) != kind {
				w.Errorf("%s: %v, want kind %v", who, err, kind)
			}
		}
	})
}
