package conformance_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/internal/entity"
	kitentity "github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/fold"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// found reads a page of users that have the part in their name or address.
func found(ctx context.Context, t *testing.T, db *store.DB, part string, page read.Page) (ids []int64, info read.Info) {
	t.Helper()
	return foundBy(ctx, t, db, read.And{read.Match{Fields: []*kitentity.Field{entity.UserFields.Name, entity.UserFields.Email}, Text: part}}, page)
}

// either is how GraphQL asks for users with the part in their name or address.
func either(part string) read.Or {
	return read.Or{
		read.And{read.Cond{Field: entity.UserFields.Name, Op: read.ContainsFold, Value: part}},
		read.And{read.Cond{Field: entity.UserFields.Email, Op: read.ContainsFold, Value: part}},
	}
}

func foundBy(ctx context.Context, t *testing.T, db *store.DB, where read.Filter, page read.Page) (ids []int64, info read.Info) {
	t.Helper()
	shape := read.Select(entity.User)
	shape.Field("id", entity.User.ID())
	r := &read.Reader{DB: db, Dialect: db.Dialect}
	text, info, err := r.Page(ctx, nil, shape, read.Query{Where: where, Page: page})
	if err != nil {
		t.Fatalf("%v: %v", where, err)
	}
	var rows []struct{ ID int64 }
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		ids = append(ids, row.ID)
	}
	return ids, info
}

// A search for a part of a text finds, page by page, the rows that have it, with their
// number: for parts of all characters and lengths.
func TestPartsOfTextsAreFoundAsTheyAre(t *testing.T) {
	t.Parallel()
	names := []string{
		"Ada Lovelace", "ADA BYRON", "Ürbán Gäßler", "Дмитрий Менделеев", "山田太郎", "O'Neil \"Q\" Smith", "50% off_all", `back\slash`, "a-b-c", "--- ---",
		"no", "Ada Ada Ada", "ﬁne ligature", "x y z", "ab", "lovelorn", "Babbage & Co.",
	}
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := viewer.With(t.Context(), viewer.System())
		type user struct {
			id          int64
			name, email string
		}
		var users []user
		for i, name := range names {
			u := orm.Client(db).User.Create().SetName(name + "  "[:2]).SetEmail(fmt.Sprintf("Mail%d@Example.com", i)).SaveX(ctx)
			users = append(users, user{int64(u.ID), fold.String(u.Name), fold.String(u.Email)})
		}
		parts := []string{"@", "mail1", "MAIL1@EXA", "example.com", "nothing like it", "il1", "%", "_", `\`, "'", `"q"`, "ss", "gässler", "🦉"}
		for _, name := range names {
			runes := []rune(name)
			for n := 1; n <= len(runes); n += 2 {
				parts = append(parts, string(runes[len(runes)-n:]), string(runes[:n]))
			}
		}
		for _, part := range parts {
			var want []int64
			for _, u := range slices.Backward(users) {
				if folded := fold.String(part); strings.Contains(u.name, folded) || strings.Contains(u.email, folded) {
					want = append(want, u.id)
				}
			}
			for _, most := range []int{0, read.MostFound} {
				var got []int64
				for offset := 0; ; offset += 3 {
					ids, info := found(ctx, t, db, part, read.Page{Limit: 3, Offset: offset, Total: true, Most: most})
					if info.Total != int64(len(want)) || info.AtLeast {
						t.Errorf("%q: at least %v %d, want %d", part, info.AtLeast, info.Total, len(want))
					}
					if got = append(got, ids...); !info.HasNext {
						break
					}
				}
				if !slices.Equal(got, want) {
					t.Errorf("%q: %v, want %v", part, got, want)
				}
				if ids, info := foundBy(ctx, t, db, either(part), read.Page{Limit: 100, Total: true, Most: most}); !slices.Equal(ids, want) || info.Total != int64(len(want)) {
					t.Errorf("%q in either: %v of %d, want %v", part, ids, info.Total, want)
				}
				last := read.Page{Limit: 3, Backward: true, Total: true, Most: most, Cursors: true}
				var back []int64
				for {
					ids, info := found(ctx, t, db, part, last)
					if back = append(ids, back...); !info.HasPrevious {
						break
					}
					last.Before = info.Start
				}
				if !slices.Equal(back, want) {
					t.Errorf("%q from the end: %v, want %v", part, back, want)
				}
			}
		}
	})
}

// A part that very many rows have costs a page in their order, and one that is
// too short for the index the newest rows: totals say that there may be more.
func TestCommonAndShortPartsAreBounded(t *testing.T) {
	t.Parallel()
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		crowd(t, db, "20100")
		ctx := viewer.With(t.Context(), viewer.System())
		if _, err := db.ExecContext(ctx, `UPDATE users SET name_fold = 'qx ' || name_fold WHERE id IN (7, 20007)`); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			part    string
			most    int
			ids     []int64
			total   int64
			atLeast bool
		}{
			{"user", read.MostFound, []int64{20100, 20099}, read.MostFound, true},
			{"user", 0, []int64{20100, 20099}, 20100, false},
			{"@e", read.MostFound, []int64{20100, 20099}, read.MostFound, true},
			{"@e", 0, []int64{20100, 20099}, 20100, false},
			{"qx", read.MostFound, []int64{20007}, 1, true},
			{"qx", 0, []int64{20007, 7}, 2, false},
			{"qx user", read.MostFound, []int64{20007}, 1, true},
			{"qx user", 0, []int64{20007, 7}, 2, false},
			{"ser 1700", read.MostFound, []int64{17009, 17008}, 11, false},
		} {
			ids, info := found(ctx, t, db, c.part, read.Page{Limit: 2, Total: true, Most: c.most})
			if !slices.Equal(ids, c.ids) || info.Total != c.total || info.AtLeast != c.atLeast {
				t.Errorf("%q up to %d: %v of %d, at least %v; want %+v", c.part, c.most, ids, info.Total, info.AtLeast, c)
			}
			beyond, info := found(ctx, t, db, c.part, read.Page{Limit: 2, Offset: 30_000, Total: true, Most: c.most})
			if len(beyond) != 0 || info.Total != c.total || info.AtLeast != c.atLeast {
				t.Errorf("%q up to %d, beyond its end: %v of %d, at least %v", c.part, c.most, beyond, info.Total, info.AtLeast)
			}
		}
		deep, _ := found(ctx, t, db, "user", read.Page{Limit: 2, Offset: 10_000, Total: true, Most: read.MostFound})
		if !slices.Equal(deep, []int64{10_100, 10_099}) {
			t.Errorf("deep among very many: %v", deep)
		}
	})
}

// A connection's total is bounded as a listing's is, whatever its page is
// chosen by; its pages lead on to the last of the rows.
func TestTotalsOfConnectionsAreBounded(t *testing.T) {
	t.Parallel()
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		crowd(t, db, "20100")
		ctx := viewer.With(t.Context(), viewer.System())
		if _, err := db.ExecContext(ctx, `UPDATE users SET name_fold = 'qx ' || name_fold WHERE id IN (7, 20007)`); err != nil {
			t.Fatal(err)
		}
		rows := read.Select(entity.User)
		rows.Field("id", entity.User.ID())
		shape := &read.Shape{Parts: []read.Part{
			{Kind: read.PartNodes, Key: "nodes", Items: rows},
			{Kind: read.PartTotal, Key: "totalCount"},
			{Kind: read.PartTotalExact, Key: "totalCountExact"},
			{Kind: read.PartPageInfo, Key: "pageInfo", Parts: []read.Part{{Kind: read.PartEnd, Key: "endCursor"}, {Kind: read.PartHasNext, Key: "hasNextPage"}}},
		}}
		r := &read.Reader{DB: db, Dialect: db.Dialect}
		for part, want := range map[string]struct {
			total int64
			bound bool
			last  int64 // of the second page of one
		}{
			"user": {read.MostFound, true, 20099}, "@e": {read.MostFound, true, 20099}, "qx": {1, true, 7},
			"qx user": {2, false, 7}, "ser 1700": {11, false, 17008},
		} {
			where := read.Match{Fields: []*kitentity.Field{entity.UserFields.Name, entity.UserFields.Email}, Text: part}
			var page struct {
				Nodes           []struct{ ID int64 }
				TotalCount      int64
				TotalCountExact bool
				PageInfo        struct{ EndCursor string }
			}
			for i := range 2 {
				text, _, err := r.Connection(ctx, nil, rows, read.Query{Where: where, Page: read.Page{Limit: 1, After: page.PageInfo.EndCursor}}, shape)
				if err != nil {
					t.Fatalf("%q: %v", part, err)
				}
				if err := json.Unmarshal(text, &page); err != nil {
					t.Fatalf("%v: %s", err, text)
				}
				if page.TotalCount != want.total || page.TotalCountExact == want.bound {
					t.Errorf("%q, page %d: %s, want %+v", part, i+1, text, want)
				}
			}
			if len(page.Nodes) != 1 || page.Nodes[0].ID != want.last {
				t.Errorf("%q: the second page is %v, want %d", part, page.Nodes, want.last)
			}
		}
	})
}

// Both databases ask their index of trigrams, and neither is asked for what it
// would read all of that for.
func TestPartsOfTextsArePlannedByTheirIndex(t *testing.T) {
	t.Parallel()
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		crowd(t, db, "20000")
		plan := planOf(t, db, entity.User, "search=nobody", "SET LOCAL enable_seqscan = off")
		index, order := "VIRTUAL TABLE INDEX", "SCAN t USING INDEX user_created_at_id"
		if db.Postgres() {
			index, order = "Bitmap Index Scan on search_users_parts", "Index Scan Backward using user_created_at_id"
		}
		if !strings.Contains(plan, index) || !strings.Contains(plan, order) {
			t.Errorf("a part is planned as\n%s", plan)
		}
		if plan := planOf(t, db, entity.User, "search=ab"); strings.Contains(plan, "_parts") || strings.Contains(plan, "VIRTUAL") {
			t.Errorf("two characters are planned as\n%s", plan)
		}
	})
}

// With other conditions beside the part PostgreSQL plans for the values, however
// often: one plan for all would take each condition to be as rare as the part.
func TestPartsOfTextsArePlannedForTheirValues(t *testing.T) {
	t.Parallel()
	db := migratetest.Schema(t).Postgres(t)
	crowd(t, db, "1000")
	ctx := viewer.With(t.Context(), viewer.System())
	for _, where := range []read.Filter{
		read.And{read.Match{Fields: []*kitentity.Field{entity.UserFields.Name, entity.UserFields.Email}, Text: "ser 77"}, read.Cond{Field: entity.UserFields.Role, Op: read.EQ, Value: "user"}},
		read.And{either("ser 77"), read.Cond{Field: entity.UserFields.CreatedAt, Op: read.GT, Value: time.Unix(0, 0)}},
	} {
		err := db.InTx(ctx, func(ctx context.Context) error { // on one connection
			for range 10 {
				if ids, _ := foundBy(ctx, t, db, where, read.Page{Limit: 20, Total: true, Most: read.MostFound}); len(ids) < 10 {
					t.Errorf("%v finds %v", where, ids)
				}
			}
			rows, err := db.QueryContext(ctx, `SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE statement LIKE 'WITH "%' ORDER BY prepare_time DESC LIMIT 1`)
			if err != nil {
				return err
			}
			defer rows.Close()
			var generic, custom int
			for rows.Next() {
				if err := rows.Scan(&generic, &custom); err != nil {
					return err
				}
			}
			if generic != 0 || custom != 10 {
				t.Errorf("%v is planned %d times for its values and %d times for any", where, custom, generic)
			}
			return rows.Err()
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
