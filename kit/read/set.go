package read

import (
	"context"
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/store"
)

// set holds the rows of one statement. Cells are plain numbers, texts lie in
// one arena: a page costs a handful of allocations, whatever its size.
type set struct {
	selection *Selection
	columns   []column
	cells     []cell
	arena     []byte
	count     int
	// asked is how many rows there are at most.
	asked int
	// extra is the number of columns behind the fields': the parent's id, whose kind is
	// parent.
	extra  int
	parent entity.Kind
	// joins are the relations that come with the rows, joined their columns,
	// which stand behind all others.
	joins  []join
	joined int
	// terms and sorted are the order and, for cursors, the columns that hold
	// its values.
	terms  []entity.Term
	sorted []int
	digest digest
	// before is the digest that the listing had by its names before (expose.Was).
	before digest
	// now is the time of what is computed of the rows.
	now time.Time
	// edge is the one that leads from parents to these rows, in pages of their
	// own: nil where they are one listing.
	edge *entity.Edge
	// parents are those of the pages, counted the rule by which those are counted.
	parents []gid.ID
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
	err   error // the client's, which makes what it belongs to null
	spans []span
	total []int64
	// atLeast is set for the rows whose total may be less than there are.
	atLeast []bool
	limit   int
	query   Query
}

// span is a run of rows of a set.
type span struct{ start, n int32 }

func (s *set) width() int { return len(s.columns) + s.extra + s.joined }

func (s *set) cell(row, column int) *cell { return &s.cells[row*s.width()+column] }

func (s *set) text(c *cell) []byte { return s.arena[c.n : c.n+int64(c.len)] }

// id returns the row's id, which is its first column.
func (s *set) id(row int) gid.ID { return s.idOf(s.cell(row, 0)) }

// idOf returns the id that a cell of the set holds.
func (s *set) idOf(c *cell) gid.ID {
	if c.len > 0 {
		return gid.Text(string(s.text(c)))
	}
	return gid.Int(c.n)
}

// value returns a cell as an argument of SQL.
func (s *set) value(row, column int) any {
	c := s.cell(row, column)
	if c.null {
		return nil
	}
	switch s.columns[column].Kind.Form().Held {
	case entity.Moment:
		return time.UnixMicro(c.n).UTC()
	case entity.Decimal:
		return math.Float64frombits(uint64(c.n))
	case entity.Flag:
		return c.n != 0
	case entity.Text:
		return string(s.text(c))
	}
	return c.n
}

// updated returns when the row was last changed, if that was read.
func (s *set) updated(row int) time.Time {
	for i, f := range s.columns {
		if f.Name == "updated_at" && f.Kind == entity.Time {
			return time.UnixMicro(s.cell(row, i).n).UTC()
		}
	}
	return time.Time{}
}

// version returns the row's version, 0 if that was not read.
func (s *set) version(row int) int64 {
	for i, f := range s.columns {
		if f.Name == "version" && f.Kind == entity.Int {
			return s.cell(row, i).n
		}
	}
	return 0
}

// position returns the column of the field among those read, -1 if it is not.
func (s *set) position(f *entity.Field) int {
	for i, c := range s.columns {
		if c.Same(f) {
			return i
		}
	}
	return -1
}

// add appends a value to the cells: the columns of a row come in order.
func (s *set) add(value any, kind entity.Kind) error {
	out := cell{}
	switch v := value.(type) {
	case nil:
		out.null = true
	case *store.Sent:
		return s.addSent(v, kind)
	case int64:
		out.n = wholeAs(v, kind)
	case float64:
		out.n = int64(math.Float64bits(v))
		if kind != entity.Float {
			out.n = int64(v)
		}
	case bool:
		out.n = truth(v)
	case time.Time:
		out.n = v.UnixMicro()
	case []byte:
		return s.addBytes(v, kind)
	case string:
		if isText(kind) {
			out.n, out.len = int64(len(s.arena)), int32(len(v))
			s.arena = append(s.arena, v...)
			break
		}
		return s.addNumber(v, kind)
	default:
		return fmt.Errorf("a value of type %T", value)
	}
	s.cells = append(s.cells, out)
	return nil
}

// addSent appends a value as PostgreSQL has sent it.
func (s *set) addSent(v *store.Sent, kind entity.Kind) error {
	switch {
	case v.Number:
		s.cells = append(s.cells, cell{n: wholeAs(v.Int(), kind)})
		return nil
	case v.Bool:
		s.cells = append(s.cells, cell{n: truth(v.True())})
		return nil
	}
	return s.addBytes(v.Bytes, kind)
}

// wholeAs is how a whole number is kept of a column that may have others.
func wholeAs(n int64, kind entity.Kind) int64 {
	if kind == entity.Float {
		return int64(math.Float64bits(float64(n)))
	}
	return n
}

func truth(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

// addBytes appends a text, or a number or time that has come as one.
func (s *set) addBytes(v []byte, kind entity.Kind) error {
	switch {
	case isText(kind):
		s.cells = append(s.cells, cell{n: int64(len(s.arena)), len: int32(len(v))})
		s.arena = append(s.arena, v...)
		return nil
	case kind == entity.Time && len(v) == 8:
		s.cells = append(s.cells, cell{n: microseconds(v)})
		return nil
	}
	return s.addNumber(string(v), kind)
}

// microseconds returns those since 1970 of a time as PostgreSQL's
// timestamptz_send has it: since 2000.
func microseconds(sent []byte) int64 {
	const since2000 = 946_684_800_000_000
	return int64(binary.BigEndian.Uint64(sent)) + since2000
}

// addNumber appends a number that the driver has as text.
func (s *set) addNumber(text string, kind entity.Kind) error {
	n, err := strconv.ParseInt(text, 10, 64)
	if kind == entity.Float {
		var f float64
		f, err = strconv.ParseFloat(text, 64)
		n = int64(math.Float64bits(f))
	}
	s.cells = append(s.cells, cell{n: n})
	return err
}

// read runs the builder's statement and fills the set with its rows.
func (s *set) read(ctx context.Context, db Querier, b *builder) error {
	kinds, owns := s.kinds(), s.owns()
	s.count, s.cells, s.arena = 0, s.cells[:0], s.arena[:0]
	return b.each(ctx, db.EachSent, s.width(), func(values []driver.Value) error {
		s.reserve(len(kinds))
		for i, value := range values {
			if owns != nil && owns[i] != nil && value != nil {
				plain, err := owns[i].Own.Read(sent(value, kinds[i]))
				if err != nil {
					return fmt.Errorf("read column %s: %w", owns[i].Column, err)
				}
				value = plain
			}
			if err := s.add(value, kinds[i]); err != nil {
				return err
			}
		}
		s.count++
		return nil
	})
}

// reserve makes room before a row is added: for one, then for as many as a page
// has most often, then for as many as are asked for, of the length of those that
// have come.
func (s *set) reserve(width int) {
	const page, most = 20, 500
	switch s.count {
	case 0:
		s.cells = slices.Grow(s.cells, width)
	case 1:
		s.cells = slices.Grow(s.cells, max(0, min(s.asked, page)-1)*width)
	case page:
		more := max(0, min(s.asked, most)-page)
		s.cells = slices.Grow(s.cells, more*width)
		s.arena = slices.Grow(s.arena, len(s.arena)/page*more)
	}
}

// kinds returns what each value of a row is.
func (s *set) kinds() []entity.Kind {
	kinds := make([]entity.Kind, s.width())
	for i, f := range s.columns {
		kinds[i] = f.Kind
	}
	for i := range s.extra {
		kinds[len(s.columns)+i] = s.parent
	}
	for _, j := range s.joins {
		for i, f := range j.load.sub.columns {
			kinds[j.start+i] = f.Kind
		}
	}
	return kinds
}

// owns are the fields of the columns that have values in a form of their own, by the
// places of these in a row: nil where there are none.
func (s *set) owns() (owns []*entity.Field) {
	note := func(at int, f *entity.Field) {
		if f.Own == nil {
			return
		}
		if owns == nil {
			owns = make([]*entity.Field, s.width())
		}
		owns[at] = f
	}
	for i, f := range s.columns {
		note(i, f.Field)
	}
	for _, j := range s.joins {
		for i, f := range j.load.sub.columns {
			note(j.start+i, f.Field)
		}
	}
	return owns
}

// sent is a value as a driver of database/sql would have it.
func sent(value driver.Value, kind entity.Kind) any {
	v, ok := value.(*store.Sent)
	switch {
	case !ok:
		return value
	case v.Number:
		return v.Int()
	case v.Bool:
		return v.True()
	case kind == entity.Bytes:
		return slices.Clone(v.Bytes)
	}
	return string(v.Bytes)
}

// scalar runs the builder's statement, which has one row of one number.
func scalar(ctx context.Context, db Querier, b *builder) (n int64, err error) {
	err = b.each(ctx, db.Each, 1, func(values []driver.Value) (err error) {
		n, err = number(values[0])
		return err
	})
	return n, err
}

// idFrom is the id that the database has sent.
func idFrom(value driver.Value) (id gid.ID, err error) {
	err = id.Scan(value)
	return id, err
}

// number is a value that the database counted.
func number(value driver.Value) (int64, error) {
	n, ok := value.(int64)
	if !ok {
		return 0, fmt.Errorf("a number of type %T", value)
	}
	return n, nil
}
