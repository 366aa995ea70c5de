package listing

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/entwine-go/entwine/internal/policy"
)

// set holds the rows of one statement. Cells are plain numbers, texts lie in
// one arena: a page costs a handful of allocations, whatever its size.
type set struct {
	selection *Selection
	columns   []*Field
	cells     []cell
	arena     []byte
	count     int
	// extra is the number of columns behind the fields': the parent's id.
	extra int
	// joins are the relations that come with the rows, joined their columns,
	// which stand behind all others.
	joins  []join
	joined int
	// terms and sorted are the order and, for cursors, the columns that hold
	// its values.
	terms  []Term
	sorted []int
	digest digest
	// edge is the one that leads from parents to these rows, in pages of their
	// own: nil where they are one listing.
	edge *Edge
	// parents are those of the pages, counted the rule by which those are counted.
	parents []int64
	counted policy.Rule
	// rule admitted the rows.
	rule policy.Rule
	// backward is set where the rows were read from the end.
	backward bool
	// groups are the related rows, one for each load of the selection.
	groups []group
}

// cell is a value: a number, microseconds, the bits of a float, or the place
// of a text in the arena.
type cell struct {
	n    int64
	len  int32
	null bool
}

// group is the related rows of one load: where those of each row are in the set.
type group struct {
	set   *set
	spans []span
	total []int64
	limit int
	query Query
}

// span is a run of rows of a set.
type span struct{ start, n int32 }

func (s *set) width() int { return len(s.columns) + s.extra + s.joined }

func (s *set) cell(row, column int) *cell { return &s.cells[row*s.width()+column] }

func (s *set) text(c *cell) []byte { return s.arena[c.n : c.n+int64(c.len)] }

// id returns the row's id, which is its first column.
func (s *set) id(row int) int64 { return s.cell(row, 0).n }

// value returns a cell as an argument of SQL.
func (s *set) value(row, column int) any {
	c := s.cell(row, column)
	if c.null {
		return nil
	}
	switch f := s.columns[column]; {
	case f.Kind == Time:
		return time.UnixMicro(c.n).UTC()
	case f.Kind == Float:
		return math.Float64frombits(uint64(c.n))
	case f.Kind == Bool:
		return c.n != 0
	case f.Kind.textual():
		return string(s.text(c))
	}
	return c.n
}

// updated returns when the row was last changed, if that was read.
func (s *set) updated(row int) time.Time {
	for i, f := range s.columns {
		if f.Name == "updated_at" && f.Kind == Time {
			return time.UnixMicro(s.cell(row, i).n).UTC()
		}
	}
	return time.Time{}
}

// version returns the row's version, 0 if that was not read.
func (s *set) version(row int) int64 {
	for i, f := range s.columns {
		if f.Name == "version" && f.Kind == Int {
			return s.cell(row, i).n
		}
	}
	return 0
}

// position returns the column of the field among those read, -1 if it is not.
func (s *set) position(f *Field) int {
	for i, c := range s.columns {
		if c == f || c.Column == f.Column {
			return i
		}
	}
	return -1
}

// scanner appends each value it is given to the set's cells; database/sql
// scans columns in order.
type scanner struct {
	set  *set
	kind Kind
}

// Scan implements sql.Scanner.
func (c *scanner) Scan(value any) error {
	out := cell{}
	switch v := value.(type) {
	case nil:
		out.null = true
	case int64:
		out.n = v
		if c.kind == Float {
			out.n = int64(math.Float64bits(float64(v)))
		}
	case float64:
		out.n = int64(math.Float64bits(v))
		if c.kind != Float {
			out.n = int64(v)
		}
	case bool:
		if v {
			out.n = 1
		}
	case time.Time:
		out.n = v.UnixMicro()
	case []byte:
		return c.scanText(string(v), v)
	case string:
		return c.scanText(v, nil)
	default:
		return fmt.Errorf("a value of type %T", value)
	}
	c.set.cells = append(c.set.cells, out)
	return nil
}

func (c *scanner) scanText(text string, raw []byte) error {
	out := cell{}
	if c.kind.textual() {
		out.n, out.len = int64(len(c.set.arena)), int32(len(text))
		if raw != nil {
			c.set.arena = append(c.set.arena, raw...)
		} else {
			c.set.arena = append(c.set.arena, text...)
		}
		c.set.cells = append(c.set.cells, out)
		return nil
	}
	switch c.kind {
	case Float:
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return err
		}
		out.n = int64(math.Float64bits(f))
	default:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return err
		}
		out.n = n
	}
	c.set.cells = append(c.set.cells, out)
	return nil
}

// read runs the builder's statement and fills the set with its rows.
func (s *set) read(ctx context.Context, db Querier, b *builder) (err error) {
	rows, err := db.QueryContext(ctx, string(b.text), b.args...)
	if err != nil {
		return err
	}
	defer func() {
		if e := rows.Close(); err == nil {
			err = e
		}
	}()
	into := s.scanners()
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		s.count++
	}
	return rows.Err()
}

// scanners returns what takes the values of a row.
func (s *set) scanners() []any {
	scanners := make([]scanner, s.width())
	into := make([]any, s.width())
	for i := range scanners {
		scanners[i] = scanner{set: s, kind: Int}
		into[i] = &scanners[i]
	}
	for i, f := range s.columns {
		scanners[i].kind = f.Kind
	}
	for _, j := range s.joins {
		for i, f := range j.load.sub.columns {
			scanners[j.start+i].kind = f.Kind
		}
	}
	return into
}

// scalar runs the builder's statement, which has one row of one number.
func scalar(ctx context.Context, db Querier, b *builder) (n int64, err error) {
	rows, err := db.QueryContext(ctx, string(b.text), b.args...)
	if err != nil {
		return 0, err
	}
	defer func() {
		if e := rows.Close(); err == nil {
			err = e
		}
	}()
	for rows.Next() {
		if err := rows.Scan(&n); err != nil {
			return 0, err
		}
	}
	return n, rows.Err()
}

var _ sql.Scanner = (*scanner)(nil)

// validText reports whether both databases take the text.
func validText(s string) bool {
	for i := range len(s) {
		if s[i] == 0 {
			return false
		}
	}
	return utf8.ValidString(s)
}
