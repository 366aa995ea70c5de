package door

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"entgo.io/ent/dialect"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/viewer"
)

// errChanged answers a write for a version that is no longer there.
var errChanged = problem.New(problem.PreconditionFailed, "the resource has changed since it was read")

// unchangedNow returns nil unless the request is for another state of the row
// than it has: If-Match, or If-Unmodified-Since where there is none, or
// If-None-Match: * for a row that there is. The row
// stays as it is until the transaction ends. absent answers where the viewer
// can read no such row. Who may not do the verb to the row is not told that it
// has changed: the write says that they may not.
func (d *Door) unchangedNow(ctx context.Context, e *reading.Entity, where reading.Filter, verb string, absent error) error {
	if err := d.unmade(ctx, e, where, verb); err != nil {
		return err
	}
	h := From(ctx).Request.Header
	tags := h["If-Match"]
	since, err := http.ParseTime(h.Get("If-Unmodified-Since"))
	if len(tags) == 0 && err != nil {
		return nil
	}
	if err := d.lock(ctx, e, where); err != nil {
		return err
	}
	b := newBuffer()
	defer b.release()
	s := reading.Validators(e)
	if s == nil {
		s = reading.Whole(e, viewer.From(ctx))
	}
	info, err := d.item(ctx, b, e, &reading.Params{Selection: s}, where)
	switch {
	case problem.KindOf(err) == problem.NotFound:
		return absent
	case err != nil:
		return err
	case len(tags) == 0 && (info.Updated.IsZero() || !info.Updated.Truncate(time.Second).After(since)):
		return nil
	case len(tags) > 0 && current(tags, info.Version, b.bytes):
		return nil
	}
	if may, err := d.Reader.May(ctx, e, where, verb); err != nil || !may {
		return err
	}
	return errChanged
}

// unmade returns nil unless the request is for a row that does not exist yet
// (If-None-Match: *, RFC 9110 section 13.1.2), and it does. Callers who may not
// do the verb to the row are left to the write, which says so.
func (d *Door) unmade(ctx context.Context, e *reading.Entity, where reading.Filter, verb string) error {
	if From(ctx).Request.Header.Get("If-None-Match") != "*" {
		return nil
	}
	if found, err := d.Reader.Exists(ctx, e, where); err != nil || !found {
		return err
	}
	if may, err := d.Reader.May(ctx, e, where, verb); err != nil || !may {
		return err
	}
	return errChanged
}

// lock keeps others from changing the row. On SQLite a transaction that
// writes is alone anyway.
func (d *Door) lock(ctx context.Context, e *reading.Entity, where reading.Filter) error {
	column, id := e.ID().Column, int64(0)
	switch w := where.(type) {
	case reading.Cond:
		id = w.Value.(int64)
	case reading.Column:
		column, id = w.Name, w.ID
	}
	if d.DB.Dialect != dialect.Postgres {
		return nil
	}
	_, err := d.DB.ExecContext(ctx, fmt.Sprintf(`SELECT 1 FROM %q WHERE %q = $1 FOR UPDATE`, e.Table, column), id)
	return err
}
