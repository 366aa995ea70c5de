package checkout_test

import (
	"testing"

	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/checkout"
)

// An order from before the product's stock was counted did not reduce the stock, and its
// cancellation does not raise it.
func TestOnlyWhatWasTakenComesBack(t *testing.T) {
	open(t, func(s *shop) {
		ebook := typedid.ProductID(s.product("E-book", 500, 0))
		s.must(s.ent.Product.UpdateOneID(ebook).ClearStock().SetInStock(true).Exec(s.system))
		place := func() int64 {
			id, err := s.Place(s.ada, []checkout.Item{{ProductID: int64(ebook), Quantity: 4}})
			s.must(err)
			return id
		}
		before := place()
		s.must(s.ent.Product.UpdateOneID(ebook).SetStock(7).SetInStock(true).Exec(s.system))
		after := place()
		for id, want := range map[int64]int64{before: 0, after: 4} {
			left := s.stock(int64(ebook))
			s.must(s.Cancel(s.ada, id))
			if got := s.stock(int64(ebook)) - left; got != want {
				t.Errorf("%d came back from order %d, want %d", got, id, want)
			}
		}
	})
}
