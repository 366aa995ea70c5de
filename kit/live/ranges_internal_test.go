package live

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/read"
)

// A write is compared with the lists whose span has the number before or after it, and
// with no other.
func TestListsAreFoundByTheirSpans(t *testing.T) {
	t.Parallel()
	price := &entity.Field{Name: "price", Column: "price", Kind: entity.Int}
	random := rand.New(rand.NewPCG(1, 2))
	x := newIndex()
	var all []*list
	for range 300 {
		var where read.And
		for _, op := range []read.Op{read.GT, read.GTE, read.LT, read.LTE} {
			if random.IntN(2) == 0 {
				where = append(where, read.Cond{Field: price, Op: op, Value: random.Int64N(100)})
			}
		}
		one := &list{matcher: &matcher{table: "products", where: where, rule: policy.Anyone()}}
		x.add(one, "products")
		all = append(all, one)
	}
	for range 1000 {
		if i := random.IntN(len(all)); random.IntN(10) == 0 {
			x.remove(all[i])
			all = slices.Delete(all, i, i+1)
		}
		row := func() map[string]any {
			if random.IntN(5) == 0 {
				return map[string]any{"price": nil}
			}
			return map[string]any{"price": random.Int64N(120) - 10}
		}
		w := written{known: true, old: row(), now: row()}
		found := map[*list]bool{}
		for one := range x.lists(w) {
			found[one] = true
		}
		for _, one := range all {
			may := holds(one.matcher.where, w.old) != no || holds(one.matcher.where, w.now) != no
			if may && !found[one] {
				t.Fatalf("%v is not compared with %v", one.matcher.where, w)
			}
			delete(found, one)
		}
		if len(found) > 0 {
			t.Fatal("a list is found that was removed")
		}
	}
}
