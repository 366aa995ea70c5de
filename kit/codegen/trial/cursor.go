package trial

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"

	"github.com/lib/pq"

	"github.com/entwine-go/entwine/kit/store"
)

// longestShown is how much of a value is shown.
const longestShown = 60

func shown(v sql.NullString) string {
	if !v.Valid {
		return "null"
	}
	text := strconv.Quote(v.String)
	if runes := []rune(text); len(runes) > longestShown {
		text = string(runes[:longestShown]) + "…"
	}
	return text
}

// cursor is a row of a table after another.
type cursor struct {
	rows        *sql.Rows
	key         []column
	row, values []sql.NullString // of the key, and of the columns; nil after the last
	n           int64
	most        int
	full        bool // there are more rows than are compared
	err         error
}

func openCursor(ctx context.Context, db *store.DB, name string, of *table, columns []string, most int) (*cursor, error) {
	d := databases.On(db.Dialect)
	var texts, order []string
	for _, c := range of.key {
		texts = append(texts, "CAST(t."+pq.QuoteIdentifier(c.name)+" AS text)")
		order = append(order, d.order(c)) // of the table: a name alone is that of the text
	}
	for _, c := range columns {
		texts = append(texts, "CAST(t."+pq.QuoteIdentifier(c)+" AS text)")
	}
	rows, err := db.QueryContext(ctx, fmt.Sprintf("SELECT %s FROM %s AS t ORDER BY %s LIMIT %d", strings.Join(texts, ", "), pq.QuoteIdentifier(name), strings.Join(order, ", "), most+1)) //nolint:rowserrcheck // next asks
	if err != nil {
		return nil, err
	}
	c := &cursor{rows: rows, key: of.key, most: most}
	c.next()
	return c, nil
}

func (c *cursor) next() {
	if !c.rows.Next() {
		c.row, c.err = nil, c.rows.Err()
		return
	}
	if c.full = c.n >= int64(c.most); c.full {
		return
	}
	c.n++
	names, err := c.rows.Columns()
	values := make([]sql.NullString, len(names))
	into := make([]any, len(names))
	for i := range values {
		into[i] = &values[i]
	}
	if err == nil {
		err = c.rows.Scan(into...)
	}
	if c.err = err; err != nil {
		c.row = nil
		return
	}
	c.row, c.values = values[:len(c.key)], values[len(c.key):]
}

func (c *cursor) id() string {
	var all []string
	for i, of := range c.key {
		all = append(all, of.name+" "+c.row[i].String)
	}
	return strings.Join(all, ", ")
}

func (c *cursor) close() { _ = c.rows.Close() }

// scan reads the only row that a query returns.
func scan(ctx context.Context, db *store.DB, query string, into ...any) error {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
	}
	return rows.Err()
}
