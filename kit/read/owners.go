package read

import (
	"context"
	"database/sql/driver"
	"fmt"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Owners returns the columns that decide, beside the rights of a viewer, which fields of a
// readable row are shown: those that rules of rows at the other end of edges compare with
// the viewer's id. Known is false where more than that decides.
func (s *Selection) Owners() (all []policy.Owned, known bool) {
	if slices.ContainsFunc(s.columns, column.personal) || slices.ContainsFunc(s.items, func(it item) bool { return it.deferred != nil }) {
		return nil, false
	}
	for _, l := range s.loads {
		rows, known := l.edge.To.Rules.Owners()
		below, alike := l.sub.Owners()
		inner := slices.Concat(rows, below)
		one := l.edge.Own && !l.edge.Many
		if !known || !alike || l.query.Where != nil || len(inner) > 0 && !one {
			return nil, false
		}
		for _, o := range inner {
			o.Steps = append([]policy.Step{{Column: l.edge.Column, Table: l.edge.To.Table}}, o.Steps...)
			all = append(all, o)
		}
	}
	return all, true
}

// personal reports whether the column is read for the viewer.
func (f column) personal() bool {
	return f.whole || len(f.Offers) > 0 || f.May != nil || strings.Contains(f.Expression, "{viewer}")
}

// Owners returns the users that the columns of the row name. A rule over the columns may
// admit the row for them and for no other user with the same rights. It asks no rule.
func (r *Reader) Owners(ctx context.Context, e *entity.Entity, id gid.ID, columns []policy.Owned) (all []int64, err error) {
	if len(columns) == 0 {
		return nil, nil
	}
	b := r.builder(viewer.From(ctx).AsSystem(), true)
	defer b.release()
	b.WriteString("SELECT ")
	for i, c := range columns {
		if i > 0 {
			b.WriteString(", ")
		}
		b.owner("t", c, 0)
	}
	b.from(e.Table, "t")
	b.WriteString(" WHERE ")
	b.where(ByID(e, id), "t")
	err = r.DB.Each(ctx, string(b.text), b.args, func(values []driver.Value) error {
		for _, value := range values {
			if value == nil {
				continue
			}
			owner, err := number(value)
			if err != nil {
				return err
			}
			all = append(all, owner)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read whose %s %s is: %w", e.Singular, id, err)
	}
	return all, nil
}

// owner writes the column of the row that the steps lead to.
func (b *builder) owner(alias string, c policy.Owned, depth int) {
	if len(c.Steps) == 0 {
		b.column(alias, c.Column)
		return
	}
	step, inner := c.Steps[0], fmt.Sprintf("o%d", depth)
	b.WriteString("(SELECT ")
	c.Steps = c.Steps[1:]
	b.owner(inner, c, depth+1)
	b.from(step.Table, inner)
	b.WriteString(" WHERE ")
	b.column(inner, "id")
	b.WriteString(" = ")
	b.column(alias, step.Column)
	b.WriteString(")")
}
