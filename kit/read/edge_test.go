package read_test

import (
	"context"
	"net/url"
	"slices"
	"testing"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/rest/params"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

var held = storetest.Schema{Key: "held-1", Up: func(ctx context.Context, db *store.DB) error {
	if err := world.Up(ctx, db); err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, `CREATE TABLE "held" ("shelf_id" bigint, "book_id" bigint, PRIMARY KEY ("shelf_id", "book_id"))`)
	return err
}}

// Listings are filtered by what an edge to many leads to, as far as the viewer
// can read that.
func TestListingsAreFilteredOverEdgesToMany(t *testing.T) {
	rack, titled := *shelf, *book
	rack.Edges = []*entity.Edge{
		{Name: "books", To: book, Many: true, Column: "shelf_id", Filter: true},
		{Name: "holds", To: book, Many: true, Filter: true, Join: &entity.Join{Table: "held", From: "shelf_id", To: "book_id"}},
		{Name: "unlisted", To: book, Many: true, Column: "shelf_id"},
		{Name: "titles", To: &titled, Many: true, Column: "shelf_id", Filter: true},
	}
	titled.Key = book.Field("title")
	held.Each(t, func(t *testing.T, db *store.DB) {
		library(t, db)
		r := &read.Reader{DB: db, Dialect: db.Dialect}
		holds := rack.Edge("holds")
		for _, c := range []struct {
			from, to []int64
			want     int
		}{{[]int64{1, 1, 1}, []int64{1, 4, 5}, 3}, {[]int64{1, 2, 2, 2}, []int64{1, 1, 6, 1}, 2}, {[]int64{2}, []int64{6}, 0}} {
			if n, err := r.Attach(t.Context(), holds, gid.Ints(c.from...), gid.Ints(c.to...)); n != c.want || err != nil {
				t.Errorf("attach %v to %v: %d %v, want %d", c.to, c.from, n, err, c.want)
			}
		}
		for _, c := range []struct {
			v     *viewer.Viewer
			query string
			want  []int
		}{
			{owner, "books=1", []int{1}}, {owner, "books=6", []int{}}, {owner, "books=1,2,6", []int{1}},
			{owner, "holds=1&sort=id", []int{1, 2}}, {owner, "holds=6", []int{2}}, {owner, "holds=1,6&sort=id", []int{1, 2}},
			{owner, "holds=4", []int{}}, {owner, "holds=5", []int{}}, {admin, "holds=5", []int{1}}, {owner, "holds=6&books=1", []int{}},
			{owner, "titles=Loose", []int{}}, {owner, "titles=Loose,Secret", []int{1}}, {viewer.Anonymous(), "titles=Secret", []int{}},
		} {
			ctx, log := as(t, c.v)
			values, _ := url.ParseQuery(c.query)
			p, err := params.Parse(ctx, &rack, values, params.Options{})
			if err != nil {
				t.Fatalf("%s: %v", c.query, err)
			}
			text, _, err := r.Page(ctx, nil, p.Selection, p.Query)
			if err != nil {
				t.Fatalf("%s: %v", c.query, err)
			}
			if got := ids(decode(t, text)); !slices.Equal(got, c.want) {
				t.Errorf("%s: %v, want %v\n%v", c.query, got, c.want, log.Statements())
			}
		}
		ctx, _ := as(t, owner)
		p, err := params.Parse(ctx, &rack, url.Values{"holds": {"1,2"}}, params.Options{})
		if err != nil || p.Scans() != read.EdgeCost+read.TotalCost {
			t.Errorf("a filter over an edge costs %d, %v", p.Scans(), err)
		}
		for _, query := range []string{"unlisted=1", "holds=", "holds=a", "holds=1,,2", "holds=1&holds=2"} {
			values, _ := url.ParseQuery(query)
			if _, err := params.Parse(ctx, &rack, values, params.Options{}); err == nil {
				t.Errorf("%s is allowed", query)
			}
		}

		// Rows that the viewer can't read stay attached.
		if n, err := r.DetachOthers(ctx, holds, gid.Int(1), gid.Ints(6)); n != 1 || err != nil {
			t.Errorf("detach what the owner reads: %d %v, want book 1 alone", n, err)
		}
		if n, err := r.Detach(ctx, holds, gid.Int(2), gid.Ints(1, 2, 6)); n != 2 || err != nil {
			t.Errorf("detach: %d %v", n, err)
		}
	})
}
