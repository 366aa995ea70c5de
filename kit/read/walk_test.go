package read_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Walking by cursors, in either direction and any order, gives every row
// exactly once, with nulls, ties, and rows that are inserted meanwhile.
func TestWalkGivesEveryRowOnce(t *testing.T) {
	each(t, func(t *testing.T, db *store.DB, r *read.Reader) {
		rnd := rand.New(rand.NewPCG(1, 2))
		const rows = 60
		for id := 1; id <= rows; id++ {
			insertRandom(t, db, rnd, id)
		}
		next := rows
		sortable := []string{"id", "title", "pages", "rating", "lent", "created_at", "read_at", "note"}
		for round := range 40 {
			var terms []entity.Term
			for _, i := range rnd.Perm(len(sortable))[:rnd.IntN(4)] {
				terms = append(terms, entity.Term{Field: book.Field(sortable[i]), Desc: rnd.IntN(2) == 0})
			}
			limit, backward := 1+rnd.IntN(9), round%2 == 1
			before := next
			seen := walk(t, r, terms, limit, backward, func() {
				next++
				insertRandom(t, db, rnd, next)
			})
			for id := 1; id <= before; id++ {
				if n := count(seen, id); n != 1 {
					t.Fatalf("walk by %s, limit %d, backward %v: row %d came %d times", describe(terms), limit, backward, id, n)
				}
			}
			if doubled := firstDouble(seen); doubled != 0 {
				t.Fatalf("walk by %s: row %d came twice", describe(terms), doubled)
			}
		}
	})
}

func walk(t *testing.T, r *read.Reader, terms []entity.Term, limit int, backward bool, between func()) []int {
	t.Helper()
	ctx := viewer.With(t.Context(), admin)
	sel := read.Select(book)
	sel.Field("id", book.ID())
	var seen []int
	q := read.Query{Sort: terms, Page: read.Page{Limit: limit, Backward: backward, Cursors: true}}
	for page := 0; ; page++ {
		text, info, err := r.Page(ctx, nil, sel, q)
		if err != nil {
			t.Fatalf("page by %s: %v", describe(terms), err)
		}
		got := ids(decode(t, text))
		if backward {
			slices.Reverse(got)
		}
		seen = append(seen, got...)
		more := info.HasNext
		if backward {
			more = info.HasPrevious
		}
		if !more {
			return seen
		}
		q.Page.After, q.Page.Before = info.End, ""
		if backward {
			q.Page.After, q.Page.Before = "", info.Start
		}
		if page < 3 {
			between()
		}
	}
}

func insertRandom(t *testing.T, db *store.DB, rnd *rand.Rand, id int) {
	t.Helper()
	base := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	maybe := func(v any) any {
		if rnd.IntN(3) == 0 {
			return nil
		}
		return v
	}
	title := []string{"a", "b", "Zebra", "ähnlich", "zz", "été"}[rnd.IntN(6)]
	exec(t, db, `INSERT INTO books (id, title, title_fold, pages, rating, lent, created_at, read_at, note, public, owner_id, tags)
		VALUES (?, ?, 'x', ?, ?, ?, ?, ?, ?, `+fmt.Sprint(rnd.IntN(2) == 0)+`, 7, '["a"]')`,
		int64(id), title, maybe(int64(rnd.IntN(5))), maybe(float64(rnd.IntN(4))/4), rnd.IntN(2) == 0,
		base.Add(time.Duration(rnd.IntN(8))*time.Microsecond), maybe(base.Add(time.Duration(rnd.IntN(3))*time.Hour)),
		maybe([]string{"x", "y"}[rnd.IntN(2)]))
}

func describe(terms []entity.Term) string {
	text := ""
	for _, t := range terms {
		sign := "+"
		if t.Desc {
			sign = "-"
		}
		text += sign + t.Field.Name + " "
	}
	return text
}

func count(all []int, one int) (n int) {
	for _, i := range all {
		if i == one {
			n++
		}
	}
	return n
}

func firstDouble(all []int) int {
	seen := map[int]bool{}
	for _, i := range all {
		if seen[i] {
			return i
		}
		seen[i] = true
	}
	return 0
}
