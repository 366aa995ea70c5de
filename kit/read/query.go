package read

import (
	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/problem"
)

// Query says which rows of a selection's entity are read, in which order and
// how many.
type Query struct {
	// Where restricts the rows, nil for all that the viewer can read.
	Where Filter
	// Sort is the order, the entity's own where it is empty. The id is always
	// added as the last term.
	Sort []entity.Term
	Page Page
	// Deleted includes the soft-deleted rows that the viewer can read.
	Deleted bool
	// single is set where the filter admits one row at most: order and limit
	// would only have to be planned.
	single bool
}

// Page is a part of an ordered listing.
type Page struct {
	// Limit is the number of rows, at least 0.
	Limit int
	// Offset skips rows.
	Offset int
	// After and Before bound the page by cursors, exclusively.
	After, Before string
	// Backward takes the last rows before the bound instead of the first ones
	// after it; they are still written in order.
	Backward bool
	// Total asks for the exact number of rows without paging.
	Total bool
	// Most is how far a total is counted, 0 for all rows: [MostCounted] for lists
	// that clients ask for. Rows that are found by a part of a text are counted less
	// far. [Info.AtLeast] says where there are more.
	Most int
	// Endless has rows looked for on and on until the page is full, where no
	// index finds them: pages by cursor lead to every row there is.
	Endless bool
	// Cursors asks for the cursors of the page's ends.
	Cursors bool
	// NoPeek says that it does not matter whether there are rows beyond the page:
	// otherwise one row too many is read.
	NoPeek bool
	// Keyset bounds the page by values instead of a cursor.
	Keyset *Keyset
}

// rows is how many rows of the page are read.
func (p *Page) rows() int {
	if p.NoPeek {
		return p.Limit
	}
	return p.Limit + 1
}

// Keyset is a bound by plain values: those of the first term of the order and of the id.
type Keyset struct {
	Value any
	ID    gid.ID
}

// MaxOffset is how far an offset reaches (doc/api/pagination.md).
const MaxOffset = 100_000

// MostCounted is how far totals are counted (doc/api/pagination.md).
const MostCounted = 10_000

// MaxLimit is the largest page.
const MaxLimit = 100

// Filter is a condition over the rows of an entity.
type Filter interface{ filter() }

// Op is a comparison.
type Op uint8

// The comparisons. Text is compared with case, but for Contains, HasPrefix,
// HasSuffix and EqualFold, whose -Fold forms leave case out of account.
const (
	EQ Op = iota
	NEQ
	GT
	GTE
	LT
	LTE
	In
	NotIn
	IsNull
	NotNull
	Contains
	HasPrefix
	HasSuffix
	ContainsFold
	EqualFold
)

// Cond compares a field with a value: an int64 (of ids and minor units too),
// a float64, a string, a bool or a time.Time; for In and NotIn a slice of one
// of these types.
type Cond struct {
	Field *entity.Field
	Op    Op
	Value any
}

type (
	// And holds where all of its filters do.
	And []Filter
	// Or holds where one of its filters does.
	Or []Filter
)

// Not holds where its filter does not, nulls included.
type Not struct{ Filter Filter }

// Has holds where there is a row at the other end of the edge that the viewer
// can read and that the filter (nil for any) admits.
type Has struct {
	Edge   *entity.Edge
	Filter Filter
}

// Match holds where the folded text of one of the fields contains the text's.
type Match struct {
	Fields []*entity.Field
	Text   string
}

// Column holds where a column that is not a field of the APIs has the id:
// the scope of a nested path.
type Column struct {
	Name string
	ID   gid.ID
}

// Reached holds for the rows that the edge of a tree leads to from the row with
// the id.
type Reached struct {
	Edge *entity.Edge
	ID   gid.ID
}

func (Cond) filter()   {}
func (And) filter()    {}
func (Or) filter()     {}
func (Not) filter()    {}
func (Has) filter()    {}
func (Match) filter()  {}
func (Column) filter() {}

func (Reached) filter() {}

// ErrCursor answers a cursor that was not made by this listing with this
// order and these filters.
var ErrCursor = problem.New(problem.Invalid, "the cursor does not belong to this listing with this sort and these filters")
