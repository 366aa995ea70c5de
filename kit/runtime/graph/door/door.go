// Package door is what the generated mutations of entities share: taking an
// input into Ent's mutation, judging it, writing, and saying why nothing was
// written.
//
// A [Door] leans on Ent for writing and for who may, and on package reading
// for what is asked before and after. It answers in the names that GraphQL's
// inputs have; what a payload shows is read by package execute.
package door

import (
	"context"
	"time"

	entgo "entgo.io/ent"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/gid"
	"github.com/entwine-go/entwine/kit/runtime/idempotency"
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/runtime/store"
)

// Door writes entities for GraphQL. All fields are required.
type Door struct {
	DB     *store.DB
	Reader *reading.Reader
	// Users are the entity that viewers are rows of.
	Users *reading.Entity
	// Keeper keeps what became of calls with an idempotencyKey.
	Keeper *idempotency.Keeper
}

// Write is an update or a delete of a row.
type Write struct {
	Entity *reading.Entity
	ID     int64
	// Verb is what the policy calls it.
	Verb string
	// Version is the one that the row is expected to have, nil for any.
	Version *int
}

// Update runs the update, which returns how many rows it touched. One that
// changes nothing is not run, and answered as if it were.
func (d *Door) Update(ctx context.Context, w Write, m entgo.Mutation, run func(context.Context) (int, error)) error {
	if len(m.Fields()) > 0 || len(m.ClearedFields()) > 0 {
		return d.Run(ctx, w, run)
	}
	may, err := d.may(ctx, w)
	if err != nil {
		return err
	}
	if may {
		return d.current(ctx, w)
	}
	return d.Reader.Why(ctx, w.Entity, w.ID, w.Verb)
}

// Run runs the write, which returns how many rows it touched, and says why it
// touched none: who may not is told that, and not that the version is another.
func (d *Door) Run(ctx context.Context, w Write, run func(context.Context) (int, error)) error {
	n, err := run(ctx)
	if err != nil {
		return Failed(w.Entity, err)
	}
	if n > 0 {
		return nil
	}
	if w.Version != nil {
		may, err := d.may(ctx, w)
		if err != nil {
			return err
		}
		if may {
			return errChanged
		}
	}
	return d.Reader.Why(ctx, w.Entity, w.ID, w.Verb)
}

// may reports whether the caller may do this to the row, whatever its version.
func (d *Door) may(ctx context.Context, w Write) (bool, error) {
	return d.Reader.May(ctx, w.Entity, reading.ByID(w.Entity, w.ID), w.Verb)
}

// Deleted is what a nullable delete answers with.
func Deleted(err error) (*bool, error) {
	if err != nil {
		return nil, err
	}
	done := true
	return &done, nil
}

// errChanged answers a write for a version that is no longer there.
var errChanged = problem.New(problem.PreconditionFailed, "the version is another by now")

// current refuses a write of a row that has another version than is expected.
func (d *Door) current(ctx context.Context, w Write) error {
	if w.Version == nil {
		return nil
	}
	stale, err := d.Reader.Exists(ctx, w.Entity, reading.And{
		reading.ByID(w.Entity, w.ID),
		reading.Cond{Field: w.Entity.Field("version"), Op: reading.NEQ, Value: int64(*w.Version)},
	})
	if err != nil || !stale {
		return err
	}
	return errChanged
}

// Key is the id that a mutation names.
func Key(e *reading.Entity, id string) (int64, error) {
	n, err := gid.Parse(e.Name, id)
	if err != nil {
		return 0, problem.Inputs(problem.Invalidf("id", id, "%v", err))
	}
	return n, nil
}

// Now is the time as both databases keep it.
func Now() time.Time { return store.Time(time.Now()) }
