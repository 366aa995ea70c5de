// Package social is what users do to each other's posts and to each other:
// they like, share and follow.
//
// Each act is one row, which a unique index keeps from being there twice; the
// database counts the rows, in the order of the ids of what they count, so
// that any number of callers wait for each other and none forever. A
// [Circle] leans on Ent's policies for who may act, and on package reading for
// what they can see: a target that is absent, deleted or not for the viewer to
// read is [problem.NotFound].
package social

import (
	"context"
	"fmt"

	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/runtime/statement"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Circle is where users meet.
type Circle struct{ DB *store.DB }

func (c *Circle) reader() *reading.Reader { return &reading.Reader{DB: c.DB, Dialect: c.DB.Dialect} }

// seen returns nil if the viewer can read the row.
func (c *Circle) seen(ctx context.Context, e *reading.Entity, id int64) error {
	readable, err := c.reader().Readable(ctx, e, id)
	if err != nil {
		return fmt.Errorf("find %s %d: %w", e.Singular, id, err)
	}
	if !readable {
		return reading.NotFound(e)
	}
	return nil
}

// add makes a row about one of the entity's, and reports whether it was not
// there before. What it refers to may have been removed since the viewer saw it.
func (c *Circle) add(ctx context.Context, e *reading.Entity, insert func(context.Context) error) (first bool, err error) {
	err = c.DB.InTx(ctx, insert) // in a savepoint, which a row that is there undoes
	switch {
	case store.IsUnique(err):
		return false, nil
	case store.IsForeignKey(err):
		return false, reading.NotFound(e)
	}
	return err == nil, err
}

// actor is who acts: the viewer, or whom an admin names in the field, 0 for
// nobody. That nobody else may name another is for the policies to say.
func (c *Circle) actor(ctx context.Context, field string, named int64) (int64, error) {
	self := viewer.From(ctx).UserID
	if named == 0 || named == self {
		return self, nil
	}
	err := c.seen(ctx, entity.User, named)
	if problem.KindOf(err) == problem.NotFound {
		return 0, problem.Inputs(problem.Rulef(field, named, "is no user"))
	}
	return named, err
}

// counter reads how many rows something has, as the context's transaction sees
// it: once that has changed it, nobody else does before the end.
type counter struct{ statement.Statement }

func (c counter) of(ctx context.Context, db *store.DB, id int64) (n int64, err error) {
	if _, err := c.Row(ctx, db, []any{&n}, id); err != nil {
		return 0, fmt.Errorf("count what row %d has: %w", id, err)
	}
	return n, nil
}

var (
	likes     = counter{statement.Of(`SELECT likes_count FROM posts WHERE id = $1`)}
	shares    = counter{statement.Of(`SELECT shares_count FROM posts WHERE id = $1`)}
	followers = counter{statement.Of(`SELECT followers_count FROM users WHERE id = $1`)}
)
