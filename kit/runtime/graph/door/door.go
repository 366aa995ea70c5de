// Package door carries out the mutations that schemas declare: it hands their
// arguments to package writing, in the names that GraphQL has, and sees to it
// that a call with a key takes effect once. What a payload shows is read by
// package execute.
package door

import (
	"log/slog"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/gid"
	"github.com/entwine-go/entwine/kit/runtime/idempotency"
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/kit/runtime/writing"
)

// Door writes entities for GraphQL. All fields are required.
type Door struct {
	DB     *store.DB
	Engine *writing.Engine
	Reader *reading.Reader
	Log    *slog.Logger
	// Keeper keeps what became of calls with an idempotencyKey.
	Keeper *idempotency.Keeper
}

// Deleted is what a nullable delete answers with.
func Deleted(err error) (*bool, error) {
	if err != nil {
		return nil, err
	}
	done := true
	return &done, nil
}

// Key is the id that a mutation names.
func Key(e *reading.Entity, id string) (int64, error) {
	n, err := gid.Parse(e.Name, id)
	if err != nil {
		return 0, problem.Inputs(problem.Invalidf("id", id, "%v", err))
	}
	return n, nil
}
