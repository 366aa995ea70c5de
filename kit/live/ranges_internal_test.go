package live

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/money"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/read"
)

// A write is compared with the lists whose span has the number, the time or the amount
// before or after it, and with no other.
func TestListsAreFoundByTheirSpans(t *testing.T) {
	t.Parallel()
	moment := func(n int64) time.Time { return time.UnixMicro(n).UTC() }
	dollars := func(n int64) money.Decimal {
		d, err := money.ParseDecimal(strconv.FormatInt(n, 10))
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	for _, of := range []struct {
		name  string
		field *entity.Field
		bound func(n int64) any
		row   func(n int64) map[string]any
	}{
		{"numbers", &entity.Field{Column: "price", Kind: entity.Int}, func(n int64) any { return n }, func(n int64) map[string]any { return map[string]any{"price": n} }},
		{"times of SQLite", &entity.Field{Column: "price", Kind: entity.Time}, func(n int64) any { return moment(n) },
			func(n int64) map[string]any {
				return map[string]any{"price": moment(n).Format("2006-01-02 15:04:05.000000-07:00")}
			}},
		{"times of PostgreSQL", &entity.Field{Column: "price", Kind: entity.Time}, func(n int64) any { return moment(n) },
			func(n int64) map[string]any {
				return map[string]any{"price": moment(n).In(time.FixedZone("", 3600)).Format(time.RFC3339Nano)}
			}},
		{"amounts", &entity.Field{Column: "price", Kind: entity.Money, Currency: &entity.Field{Column: "currency"}, Units: &entity.Field{}}, func(n int64) any { return dollars(n) },
			func(n int64) map[string]any {
				if n%2 == 0 {
					return map[string]any{"price": n, "currency": "JPY"}
				}
				return map[string]any{"price": 100 * n, "currency": "USD"}
			}},
	} {
		t.Run(of.name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(1, 2))
			x := newIndex()
			var all []*list
			for range 300 {
				var where read.And
				for _, op := range []read.Op{read.GT, read.GTE, read.LT, read.LTE, read.EQ} {
					if random.IntN(2) == 0 {
						where = append(where, read.Cond{Field: of.field, Op: op, Value: of.bound(random.Int64N(100))})
					}
				}
				one := &list{matcher: &matcher{table: "products", where: where, rule: policy.Anyone()}}
				x.add(one, "products")
				all = append(all, one)
			}
			decided, compared := 0, 0
			for range 1000 {
				if i := random.IntN(len(all)); random.IntN(10) == 0 {
					x.remove(all[i])
					all = slices.Delete(all, i, i+1)
				}
				row := func() map[string]any {
					row := of.row(random.Int64N(120) - 10)
					if random.IntN(5) == 0 {
						row["price"] = nil
					}
					return row
				}
				w := written{known: true, old: row(), now: row()}
				found := map[*list]bool{}
				for one := range x.lists(w) {
					found[one] = true
				}
				compared += len(found)
				for _, one := range all {
					old, now := holds(one.matcher.where, w.old), holds(one.matcher.where, w.now)
					if may := old != no || now != no; may && !found[one] {
						t.Fatalf("%v is not compared with %v", one.matcher.where, w)
					}
					if !free(one) && (old == maybe || now == maybe) {
						t.Fatalf("%v does not decide %v", one.matcher.where, w)
					}
					if decided++; old == yes && w.old["price"] == nil && !free(one) {
						t.Fatalf("%v admits null", one.matcher.where)
					}
					delete(found, one)
				}
				if len(found) > 0 {
					t.Fatal("a list is found that was removed")
				}
			}
			if compared > decided/2 {
				t.Errorf("%d of %d lists were compared", compared, decided)
			}
		})
	}
}

// free reports whether the list has no filter.
func free(one *list) bool { return len(one.matcher.where.(read.And)) == 0 }
