package reporting

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// table has the columns of a type of report. Its statements take the span and a
// place in it, so that a report of any size is read page by page: no statement is
// long, and no more than a page is in memory.
type table struct {
	columns []column
	// count takes the span; page takes its end, the place, which is never
	// before its beginning, and how many rows. That the beginning is left out
	// keeps SQLite from searching for each page from there. A page's first two
	// columns are the place of a row: a time and an id. Where since is set, it
	// takes the span's beginning besides.
	count, page statement.Statement
	since       bool
}

// column is a column of a report.
type column struct {
	name string
	kind kind
	// currency is, for an amount, the place of the column with its currency.
	currency int
	// of is, for an id, the entity whose it is.
	of string
}

// called are the columns with the names that the report has for them.
func (q Report) called(columns []column) []column {
	if len(q.Names) != len(columns) { // the report was asked for before it had any
		return columns
	}
	columns = slices.Clone(columns)
	for i, name := range q.Names {
		columns[i].name = name
	}
	return columns
}

// identify writes the ids as the report has them.
func (q Report) identify(columns []column, values []any) {
	for i, c := range columns {
		if id, ok := values[i].(int64); ok && c.of != "" && q.Global {
			values[i] = gid.Encode(c.of, id)
		}
	}
}

// kind is the kind of a column's values.
type kind int

const (
	integer kind = iota
	words
	moment
	flag
	amount
)

var tables = map[Type]table{
	SalesReport: salesTable,
	UsersReport: {
		columns: []column{
			{name: "id", of: "User"}, {name: "name", kind: words}, {name: "email", kind: words}, {name: "role", kind: words}, {name: "age"},
			{name: "is_active", kind: flag}, {name: "followers"}, {name: "created_at", kind: moment},
		},
		count: statement.Of(`SELECT COUNT(*) FROM users WHERE deleted_at IS NULL AND created_at >= $1 AND created_at < $2`),
		page: statement.Of(`
			SELECT created_at, id, id, name, email, role, age, is_active, followers_count, created_at FROM users
			WHERE deleted_at IS NULL AND created_at < $1 AND (created_at, id) > ($2, $3)
			ORDER BY created_at, id LIMIT $4`),
	},
	InventoryReport: {
		columns: []column{
			{name: "id", of: "Product"}, {name: "name", kind: words}, {name: "category", kind: words}, {name: "price", kind: amount, currency: 4},
			{name: "currency", kind: words}, {name: "stock"}, {name: "in_stock", kind: flag}, {name: "sold"}, {name: "created_at", kind: moment},
		},
		count: statement.Of(`SELECT COUNT(*) FROM products WHERE deleted_at IS NULL AND created_at >= $1 AND created_at < $2`),
		page: statement.Of(`
			SELECT created_at, id, id, name, category, price, currency, stock, in_stock,
				(SELECT COALESCE(SUM(i.quantity), 0) FROM order_items AS i JOIN orders AS o ON o.id = i.order_id
					WHERE i.product_id = products.id AND o.paid_at IS NOT NULL), created_at
			FROM products
			WHERE deleted_at IS NULL AND created_at < $1 AND (created_at, id) > ($2, $3)
			ORDER BY created_at, id LIMIT $4`),
	},
}

// page is how many rows are read at once.
const page = 2000

// Write writes the report's file to w and reports the progress, from 0 to
// 1. A change meanwhile shows up or not, row by row.
func (r *Reporter) Write(ctx context.Context, w io.Writer, q Report, progress func(float64)) error {
	if err := problem.Inputs(q.check()...); err != nil {
		return err
	}
	t := tables[q.Type]
	span := Span{From: time.Unix(0, 0).UTC(), To: r.now()}
	if q.From != nil {
		span.From = q.From.UTC()
	}
	if q.To != nil {
		span.To = q.To.UTC()
	}
	var total, done int64
	if _, err := t.count.Row(ctx, r.DB, []any{&total}, span.From, span.To); err != nil {
		return fmt.Errorf("count rows: %w", err)
	}
	columns := q.called(t.columns)
	sheet := formats[q.Format].sheet(w, string(q.Type), columns)
	err := r.rows(ctx, t, span, func(values []any) error {
		if done++; done%page == 0 && done < total {
			progress(float64(done) / float64(total))
		}
		q.identify(columns, values)
		return sheet.row(values)
	})
	if err != nil {
		return fmt.Errorf("write row %d: %w", done, err)
	}
	return sheet.end()
}

// rows reads the table page by page.
func (r *Reporter) rows(ctx context.Context, t table, span Span, row func([]any) error) error {
	at, id := span.From, int64(0)
	more := []any{}
	if t.since {
		more = append(more, span.From)
	}
	scanned := newScanned(t.columns)
	for {
		n := 0
		err := t.page.Query(ctx, r.DB, func(rows *sql.Rows) error {
			n++
			if err := rows.Scan(append([]any{&at, &id}, scanned.dest...)...); err != nil {
				return err
			}
			return row(scanned.values())
		}, append([]any{span.To, at, id, page}, more...)...)
		if err != nil || n < page {
			return err
		}
	}
}

// scanned takes the values of a row, and gives them as int64, string,
// time.Time, bool or nil.
type scanned struct {
	dest []any
	out  []any
}

func newScanned(columns []column) *scanned {
	s := &scanned{out: make([]any, len(columns))}
	for _, c := range columns {
		switch c.kind {
		case words:
			s.dest = append(s.dest, new(sql.NullString))
		case moment:
			s.dest = append(s.dest, new(sql.NullTime))
		case flag:
			s.dest = append(s.dest, new(sql.NullBool))
		default:
			s.dest = append(s.dest, new(sql.NullInt64))
		}
	}
	return s
}

func (s *scanned) values() []any {
	for i, d := range s.dest {
		s.out[i] = nil
		switch d := d.(type) {
		case *sql.NullString:
			if d.Valid {
				s.out[i] = d.String
			}
		case *sql.NullTime:
			if d.Valid {
				s.out[i] = d.Time.UTC()
			}
		case *sql.NullBool:
			if d.Valid {
				s.out[i] = d.Bool
			}
		case *sql.NullInt64:
			if d.Valid {
				s.out[i] = d.Int64
			}
		}
	}
	return s.out
}
