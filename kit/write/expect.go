package write

import (
	"context"
	"slices"

	"entgo.io/ent/dialect/sql"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/viewer"
)

// untouched says why a write touched no row, nil where it had nothing to change
// and calm says that this is well.
func (e *Engine) untouched(ctx context.Context, c *Call, verb string, calm bool) error {
	version, may, err := e.Reader.State(ctx, c.Entity.Entity, c.filter(), verb, false)
	switch {
	case err != nil:
		return err
	case may && c.stale(version):
		return c.changed()
	case may && calm:
		return nil
	case may:
		return later("the %s was changed meanwhile: try again", c.Entity.Noun())
	}
	return e.refusal(ctx, c)
}

// refusal says why the viewer may not write the row: they read nothing of the
// kind, or the row is not there for them, or it is, and is not theirs to write.
func (e *Engine) refusal(ctx context.Context, c *Call) error {
	v := viewer.From(ctx)
	if err := c.Entity.Rules.CheckRead(v); err != nil {
		return err
	}
	readable, err := e.Reader.Exists(ctx, c.Entity.Entity, c.filter())
	switch {
	case err != nil:
		return err
	case !readable:
		return read.NotFound(c.Entity.Entity)
	}
	return problem.ErrForbidden
}

// unlessMissing is err, unless it refuses a field of a row that is not there for the caller:
// then that is said, for a right to a field is about a row that there is.
func (e *Engine) unlessMissing(ctx context.Context, c *Call, err error) error {
	if problem.KindOf(err) != problem.Forbidden || c.ID.IsZero() {
		return err
	}
	if missing := e.refusal(ctx, c); problem.KindOf(missing) != problem.Forbidden {
		return missing
	}
	return err
}

// stale reports whether the version is none that is expected.
func (c *Call) stale(version int64) bool {
	return len(c.Expect.Versions) > 0 && c.Entity.Versioned && !slices.Contains(c.Expect.Versions, version)
}

// changed answers a write for a state that is no longer there.
func (c *Call) changed() error {
	return problem.New(problem.PreconditionFailed, "the resource has changed since it was read")
}

// asks reports whether the state is asked for before the row is written.
func (x *Expect) asks() bool { return x.Absent || x.Check != nil }

// expected returns nil if the row has the expected version. Callers that may not use
// the verb on it don't learn that it has changed. The row stays locked until the
// transaction ends.
func (e *Engine) expected(ctx context.Context, c *Call, verb string) error {
	if !c.Expect.asks() {
		return nil
	}
	err := e.asExpected(ctx, c)
	if problem.KindOf(err) != problem.PreconditionFailed {
		return err
	}
	_, may, failed := e.Reader.State(ctx, c.Entity.Entity, c.filter(), verb, false)
	switch {
	case failed != nil:
		return failed
	case may:
		return err
	}
	return nil // the write says why
}

func (e *Engine) asExpected(ctx context.Context, c *Call) error {
	if c.Expect.Absent {
		found, err := e.Reader.Exists(ctx, c.Entity.Entity, c.filter())
		if err != nil {
			return err
		}
		if found {
			return problem.New(problem.PreconditionFailed, "the %s exists, and If-None-Match: * is for one that does not", c.Entity.Noun())
		}
	}
	if c.Expect.Check == nil {
		return nil
	}
	if err := e.lock(ctx, c); err != nil {
		return err
	}
	err := c.Expect.Check(ctx)
	if problem.KindOf(err) == problem.NotFound {
		return nil // the write says so
	}
	return err
}

// lock keeps others from changing the row. Where one transaction writes at a time,
// that is so anyway.
func (e *Engine) lock(ctx context.Context, c *Call) error {
	if e.DB.Dialect.SingleWriter() {
		return nil
	}
	b := sql.Dialect(e.DB.Dialect.Name())
	s := b.Select(c.Entity.Entity.ID().Column).From(b.Table(c.Entity.Table)).For(sql.LockUpdate)
	for _, where := range c.where() {
		where(s)
	}
	text, args := s.Query()
	_, err := e.DB.ExecContext(ctx, text, args...)
	return err
}
