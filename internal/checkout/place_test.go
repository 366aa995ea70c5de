package checkout_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/checkout"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

func TestAnOrderCopiesWhatItSells(t *testing.T) {
	open(t, func(s *shop) {
		lamp, tea := s.product("Lamp", 1999, 5), s.product("Tea", 450, 5)
		id, err := s.Place(s.ada, []checkout.Item{{tea, 1}, {lamp, 2}, {tea, 2}})
		s.must(err)
		s.ent.Product.UpdateOneID(typedid.ProductID(lamp)).SetPrice(1).SetName("X").ExecX(s.system)
		o := s.ent.Order.GetX(s.system, typedid.OrderID(id))
		if o.Total != 2*1999+3*450 || o.Currency != "USD" || o.ExpiresAt == nil || *o.UserID != s.adaID {
			s.Errorf("the order is %v", o)
		}
		var lines []string
		for _, l := range o.QueryItems().AllX(s.system) {
			lines = append(lines, fmt.Sprint(l.Name, l.Price, l.Quantity, l.Total))
		}
		slices.Sort(lines)
		if want := []string{"Lamp1999 2 3998", "Tea450 3 1350"}; !slices.Equal(lines, want) {
			s.Errorf("the lines are %q, want %q", lines, want)
		}
		if s.stock(lamp) != 3 || s.stock(tea) != 2 {
			s.Errorf("%d lamps and %d teas are left", s.stock(lamp), s.stock(tea))
		}
	})
}

// A total that not every currency can have is one that some can.
func TestALargeOrderIsPlacedOnce(t *testing.T) {
	open(t, func(s *shop) {
		gold := s.product("Gold", 1e12, 1000)
		id, err := s.Place(s.ada, []checkout.Item{{gold, 900}})
		s.must(err)
		o := s.ent.Order.Query().OnlyX(s.system)
		if l := o.QueryItems().OnlyX(s.system); int64(o.ID) != id || o.Total != 9e14 || l.Total != 9e14 || !l.Taken || s.stock(gold) != 100 {
			s.Errorf("order %d is %v with %v, and %d are left", id, o, l, s.stock(gold))
		}
	})
}

func TestWhatCantBeOrderedChangesNothing(t *testing.T) {
	open(t, func(s *shop) {
		lamp, tea := s.product("Lamp", 1999, 5), s.product("Tea", 450, 0)
		gold := s.product("Gold", 1e12, 20_000)
		rug := int64(s.ent.Product.Create().SetName("Rug").SetPrice(1).SetCurrency("EUR").SetStock(5).SaveX(s.system).ID)
		gone := int64(s.ent.Product.Create().SetName("Gone").SetPrice(1).SetInStock(false).SaveX(s.system).ID)
		for _, p := range []int64{lamp, rug} { // bob's cart is of two currencies
			s.ent.CartItem.Create().SetUserID(typedid.UserID(viewer.From(s.bob).UserID)).SetProductID(typedid.ProductID(p)).SetQuantity(1).ExecX(s.system)
		}
		_, err := s.Place(s.bob, nil)
		p := problem.As(err)
		if p == nil || p.Kind != problem.Unprocessable || len(p.Details) != 1 || p.Details[0].Field != "items[1].product_id" ||
			p.Details[0].Message != "Rug is sold in EUR, and Lamp in USD: an order is of one currency" {
			s.Errorf("a cart of two currencies: %v", err)
		}
		if n := s.ent.CartItem.Query().CountX(s.system); n != 2 {
			s.Errorf("%d items are left in the cart", n)
		}
		for name, c := range map[string]struct {
			items  []checkout.Item
			kind   problem.Kind
			fields []string
		}{
			"no items":          {[]checkout.Item{}, problem.Unprocessable, []string{"items"}},
			"an empty cart":     {nil, problem.Unprocessable, nil},
			"none of it":        {[]checkout.Item{{lamp, 0}}, problem.Unprocessable, []string{"items[0].quantity"}},
			"too many":          {[]checkout.Item{{lamp, 10_001}}, problem.Unprocessable, []string{"items[0].quantity"}},
			"too many together": {[]checkout.Item{{lamp, 6000}, {lamp, 6000}}, problem.Unprocessable, []string{"items[1].quantity"}},
			"an unknown one":    {[]checkout.Item{{lamp, 1}, {tea, 1}, {99999, 1}}, problem.Unprocessable, []string{"items[2].product_id"}},
			"out of stock":      {[]checkout.Item{{lamp, 6}, {tea, 1}, {rug, 1}, {gone, 1}}, problem.Conflict, []string{"items[0].product_id", "items[1].product_id", "items[3].product_id"}},
			"two currencies":    {[]checkout.Item{{lamp, 1}, {rug, 1}}, problem.Unprocessable, []string{"items[1].product_id"}},
			"too much money":    {[]checkout.Item{{gold, 10_000}}, problem.Unprocessable, []string{"items[0].quantity"}},
		} {
			_, err := s.Place(s.ada, c.items)
			var fields []string
			if p := problem.As(err); p != nil {
				for _, d := range p.Details {
					fields = append(fields, d.Field)
				}
			}
			slices.Sort(fields)
			if problem.KindOf(err) != c.kind || !slices.Equal(fields, c.fields) {
				s.Errorf("%s: %v of %q, want kind %v of %q", name, err, fields, c.kind, c.fields)
			}
		}
		if s.stock(lamp) != 5 || s.stock(rug) != 5 || s.ent.Order.Query().CountX(s.system) != 0 {
			s.Error("something was taken")
		}
	})
}

func TestACartBecomesAnOrderWithinSeventeenStatements(t *testing.T) {
	open(t, func(s *shop) {
		for _, lines := range []int{1, 40} {
			for i := range lines {
				s.ent.CartItem.Create().SetUserID(s.adaID).SetProductID(typedid.ProductID(s.product(fmt.Sprint("P", i), 100, 9))).SetQuantity(2).ExecX(s.system)
			}
			var log store.Log
			ctx := store.WithStatementLog(s.ada, &log)
			id, err := s.Place(ctx, nil)
			s.must(err)
			_, err = s.PayOrder(ctx, id)
			s.must(err)
			if n := len(log.Statements()); n > 15 { // the two answers are read by one statement each
				s.Errorf("%d lines take %d statements:\n%q", lines, n, log.Statements())
			}
			if got := s.ent.Order.GetX(s.system, typedid.OrderID(id)).Total; got != int64(lines)*200 {
				s.Errorf("%d lines come to %d", lines, got)
			}
		}
		if n := s.ent.CartItem.Query().CountX(s.system); n != 0 {
			s.Errorf("%d items are left in the cart", n)
		}
	})
}

// Orders of the same products in any order of items wait for each other, and
// never in a circle: and no product is sold twice.
func TestNothingIsSoldTwice(t *testing.T) {
	open(t, func(s *shop) {
		var products []int64
		for i := range 5 {
			products = append(products, s.product(fmt.Sprint("P", i), 100, 10))
		}
		var all sync.WaitGroup
		var mu sync.Mutex
		placed := 0
		for n := range 30 {
			items := make([]checkout.Item, len(products))
			for i := range items {
				items[i] = checkout.Item{ProductID: products[(i*(n%4+1)+n)%5], Quantity: 1}
			}
			all.Go(func() {
				_, err := s.Place(s.ada, items)
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					placed++
				} else if p := (*problem.Error)(nil); !errors.As(err, &p) || p.Kind != problem.Conflict {
					s.Error(err)
				}
			})
		}
		all.Wait()
		for _, p := range products {
			if s.stock(p) < 0 {
				s.Errorf("%d are left", s.stock(p))
			}
		}
		sold := s.ent.OrderItem.Query().AllX(s.system)
		left, gone := int64(0), int64(0)
		for _, p := range products {
			left += s.stock(p)
		}
		for _, l := range sold {
			gone += l.Quantity
		}
		if left+gone != 50 || placed == 0 {
			s.Errorf("%d are left and %d sold in %d orders, of 50", left, gone, placed)
		}
	})
}
