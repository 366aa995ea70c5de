package read

import (
	"context"
	"fmt"
	"slices"

	"github.com/entwine-go/entwine/kit/policy"
)

// Alone reports whether the selection shows nothing but the row itself, at once:
// no rows that edges lead to, and nothing later.
func (s *Selection) Alone() bool {
	return len(s.loads) == 0 && !slices.ContainsFunc(s.items, func(it item) bool { return it.kind == itemDeferred })
}

// Inserted runs an INSERT and appends the row that it makes, as [Reader.One]
// does, in one statement: without a transaction around it, the row is durable
// when it returns. The selection must be [Selection.Alone].
//
// insert writes what follows the table's name: "(…) SELECT …", without a RETURNING, and
// reports whether it ends in a WHERE. Where that admits nothing no row is made, nothing
// is appended and Info.Count is 0. The same holds while a deletion is at work, when more
// would have to be asked: see [reading.statement]. Whether the viewer can read the row is
// not asked again: the caller knows that they can.
func (r *Reader) Inserted(ctx context.Context, dst []byte, s *Selection, insert func(policy.Writer) bool) ([]byte, Info, error) {
	reading := r.reading(ctx, false)
	q := Query{Page: Page{Limit: 1}, single: true}
	rows := reading.newSet(s, &q)
	b := reading.builder(reading.viewer, false)
	defer b.release()
	b.brief = true
	b.inserted(rows, insert)
	if err := rows.read(ctx, r.DB, b); err != nil {
		return dst, Info{Total: -1}, fmt.Errorf("insert into %s: %w", s.Entity.Path, err)
	}
	p := newPage(rows, 0, rows.count, &q)
	if p.n == 0 {
		return dst, Info{Total: -1}, nil
	}
	var w writer
	dst, _ = w.object(dst, rows, 0, s)
	info := reading.info(&p, &w)
	info.ID, info.Version = rows.id(0), rows.version(0)
	if !s.derives() {
		info.Updated = rows.updated(0)
	}
	return dst, info, nil
}

// inserted writes the INSERT and, in RETURNING, what is read of its row: a SELECT
// from an INSERT in a WITH costs PostgreSQL 2 µs more. In RETURNING, SQLite knows
// the row by the table's name alone, which an expression's own table may hide.
func (b *builder) inserted(rows *set, insert func(policy.Writer) bool) {
	row := rows.selection.Entity.Table
	b.WriteString(`INSERT INTO "`)
	b.WriteString(row)
	b.WriteString(`"`)
	if b.postgres {
		row = "t"
		b.WriteString(` AS "t"`)
	}
	conditional, end := insert(b), len(b.text)
	b.WriteString(" RETURNING ")
	b.columns(row, rows.columns)
	if !b.leftOut {
		return
	}
	unless := " WHERE NOT " + atWork(b.leftKeyed)
	if conditional {
		unless = " AND NOT " + atWork(b.leftKeyed)
	}
	b.text, b.leftOut = slices.Insert(b.text, end, []byte(unless)...), false
}
