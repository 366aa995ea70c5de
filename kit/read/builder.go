package read

import (
	"strconv"
	"sync"
	"time"

	"entgo.io/ent/dialect"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

// builder writes one statement: constant text and arguments in order.
type builder struct {
	text     []byte
	args     []any
	postgres bool
	viewer   *viewer.Viewer
	deleted  bool  // soft-deleted rows are read too
	edges    int   // edges entered, for aliases
	bare     bool  // the statement has no condition yet: see also
	refused  error // a table of it has rows of tenants, and the viewer has none
	walking  bool  // the rows are walked in their order: no index is to be asked for texts
	// brief is set where the statement is written as if no deletion were at work, and
	// leftOut where that made a difference: see [reading.statement].
	brief, leftOut bool
	// leftKeyed is set where that asked for rows with ids that are texts or UUIDs.
	leftKeyed bool
	end       int // see [builder.listed]
	// now is the time of what is computed, zero for a digest, and calculates a
	// computed value of the statement, nil where there is none.
	now        time.Time
	calculates *entity.Calc
}

var builders = sync.Pool{New: func() any { return &builder{text: make([]byte, 0, 1024)} }}

func (r *Reader) builder(v *viewer.Viewer, deleted bool) *builder {
	b := builders.Get().(*builder)
	*b = builder{text: b.text[:0], args: b.args[:0], postgres: r.postgres(), viewer: v, deleted: deleted}
	return b
}

// postgres reports whether the database is PostgreSQL. How each plans, and what it
// can do within a statement, the engine knows by itself: see the builder's uses.
func (r *Reader) postgres() bool { return r.Dialect.Name() == dialect.Postgres }

func (b *builder) release() {
	clear(b.args)
	builders.Put(b)
}

// WriteString implements policy.Writer.
func (b *builder) WriteString(text string) { b.text = append(b.text, text...) }

// Arg implements policy.Writer.
func (b *builder) Arg(value any) {
	b.args = append(b.args, value)
	mark := byte('?')
	if b.postgres {
		mark = '$'
	}
	b.text = strconv.AppendInt(append(b.text, mark), int64(len(b.args)), 10)
}

func (b *builder) int(n int) { b.text = strconv.AppendInt(b.text, int64(n), 10) }

func (b *builder) column(alias, column string) {
	b.text = append(b.text, '"')
	b.text = append(b.text, alias...)
	b.text = append(b.text, '"', '.', '"')
	b.text = append(b.text, column...)
	b.text = append(b.text, '"')
}

// columns writes the columns that are sent.
func (b *builder) columns(alias string, columns []column) {
	for i, f := range columns {
		if i > 0 {
			b.WriteString(", ")
		}
		if f.stored() && b.sent(f.Kind, alias, f.Column) {
			continue
		}
		if f.Kind == entity.Time && !b.postgres {
			b.WriteString("+")
		}
		b.named(alias, i, f)
	}
}

// moment writes a time that is sent: most of what reading a page costs is
// otherwise to write and to read its text. PostgreSQL sends bytea, and no time, as
// it is: see [microseconds]. The plus keeps SQLite's driver from knowing that a column
// was declared as a time: it would take it through all the layouts it knows.
// Package store knows the layout.
func (b *builder) moment(column func()) {
	if !b.postgres {
		b.WriteString("+")
		column()
		return
	}
	b.WriteString("timestamptz_send(")
	column()
	b.WriteString(")")
}

// sent writes the column in the form of the wire where its kind has one, and
// reports whether it has: drivers make times of dates.
func (b *builder) sent(kind entity.Kind, alias, column string) bool {
	switch {
	case kind == entity.Time:
		b.moment(func() { b.column(alias, column) })
	case kind == entity.Date && b.postgres:
		b.WriteString("CAST(")
		b.column(alias, column)
		b.WriteString(" AS text)")
	case kind == entity.Date:
		b.WriteString("+")
		b.column(alias, column)
	default:
		return false
	}
	return true
}

// inner writes the columns of a subquery's rows, names what is sent of them.
func (b *builder) inner(alias string, columns []column) {
	for i, f := range columns {
		if i > 0 {
			b.WriteString(", ")
		}
		b.named(alias, i, f)
	}
}

func (b *builder) named(alias string, i int, f column) {
	b.value(alias, f)
	if !f.stored() {
		b.WriteString(` AS "` + called(f.Field, i) + `"`)
	}
}

// value writes what is read of each row.
func (b *builder) value(alias string, f column) {
	if f.whole {
		b.whole(alias, f.Of)
		return
	}
	b.expression(alias, f.Field)
}

// stored reports whether it is a column of the table.
func (f column) stored() bool {
	return f.Expression == "" && len(f.Offers) == 0 && f.May == nil && f.Computed == nil && !f.whole
}

func (b *builder) names(alias string, columns []column) {
	for i, f := range columns {
		if i > 0 {
			b.WriteString(", ")
		}
		b.name(alias, called(f.Field, i), f)
	}
}

// name writes a column of a subquery that is sent.
func (b *builder) name(alias, column string, f column) {
	if !f.stored() || !b.sent(f.Kind, alias, column) {
		b.column(alias, column)
	}
}

// called is the name of the column that is the i-th that is read. Several may be
// computed by one expression, with arguments of their own.
func called(f *entity.Field, i int) string {
	if f.Computed == nil {
		return f.Column
	}
	return f.Column + "$" + strconv.Itoa(i)
}

func (b *builder) from(table, alias string) {
	b.WriteString(` FROM "`)
	b.WriteString(table)
	b.WriteString(`" AS "`)
	b.WriteString(alias)
	b.WriteString(`"`)
}

// also writes what a further condition follows: AND, or WHERE where it is the
// first of a statement whose author has set bare.
func (b *builder) also() {
	if b.bare {
		b.bare = false
		b.WriteString(" WHERE ")
		return
	}
	b.WriteString(" AND ")
}

// rule writes a folded rule as a further condition, nothing where it admits every row.
func (b *builder) rule(rule policy.Rule, alias string) {
	if err := rule.Refusal(b.viewer); err != nil {
		b.refused = err
	}
	if rule.Always() {
		return
	}
	b.also()
	rule.Write(b, alias)
}

// anyOf writes that the column has one of the ids.
func (b *builder) anyOf(alias, column string, ids []gid.ID) {
	b.column(alias, column)
	b.in(ids)
}
