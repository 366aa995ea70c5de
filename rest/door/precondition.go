package door

import (
	"context"
	"fmt"
	"strings"

	"entgo.io/ent/dialect"

	"github.com/entwine-go/entwine/internal/listing"
	"github.com/entwine-go/entwine/internal/problem"
	"github.com/entwine-go/entwine/internal/viewer"
)

// errChanged answers a write for a version that is no longer there.
var errChanged = problem.New(problem.PreconditionFailed, "the resource has changed since it was read")

// unchanged returns nil unless the request is for another state of the row
// than it has (If-Match). The row stays as it is until the transaction ends.
func (d *Door) unchanged(ctx context.Context, e *listing.Entity, where listing.Filter) error {
	tags := From(ctx).Request.Header["If-Match"]
	if len(tags) == 0 {
		return nil
	}
	if err := d.lock(ctx, e, where); err != nil {
		return err
	}
	b := newBuffer()
	defer b.release()
	p := &listing.Params{Selection: listing.Whole(e, viewer.From(ctx))}
	if _, err := d.item(ctx, b, e, p, where); err != nil {
		if problem.KindOf(err) == problem.NotFound {
			return nil // the write says why
		}
		return err
	}
	if !matchesStrongly(tags, entityTag(b.bytes)) {
		return errChanged
	}
	return nil
}

// lock keeps others from changing the row. On SQLite a transaction that
// writes is alone anyway.
func (d *Door) lock(ctx context.Context, e *listing.Entity, where listing.Filter) error {
	column, id := e.ID().Column, int64(0)
	switch w := where.(type) {
	case listing.Cond:
		id = w.Value.(int64)
	case listing.Column:
		column, id = w.Name, w.ID
	}
	if d.DB.Dialect != dialect.Postgres {
		return nil
	}
	_, err := d.DB.ExecContext(ctx, fmt.Sprintf(`SELECT 1 FROM %q WHERE %q = $1 FOR UPDATE`, e.Table, column), id)
	return err
}

// matchesStrongly compares as If-Match does: a weak tag matches nothing.
func matchesStrongly(headers []string, tag string) bool {
	for _, header := range headers {
		for one := range strings.SplitSeq(header, ",") {
			if one = strings.TrimSpace(one); one == "*" || one == tag {
				return true
			}
		}
	}
	return false
}
