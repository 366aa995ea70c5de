package checkout_test

import (
	"testing"

	"github.com/entwine-go/entwine/internal/checkout"
	"github.com/entwine-go/entwine/kit/write"
)

// Those who order one product wait for its row: they share transactions. An order of
// several locks them in the order of their ids, and shares with no others.
func TestOrdersOfOneProductGoTogether(t *testing.T) {
	t.Parallel()
	of := func(products ...int64) write.Values {
		items := make([]write.Values, len(products))
		for i, id := range products {
			items[i] = write.Values{"product_id": id, "quantity": int64(1)}
		}
		return write.Values{"items": items}
	}
	for want, in := range map[string][]write.Values{
		"products 7": {of(7), of(7, 7)},
		"":           {of(7, 8), of(7, 8, 7), of(), {}},
	} {
		for _, values := range in {
			if got := checkout.Crowds()["Order.create"](values); got != want {
				t.Errorf("%v: they share transactions as %q, want %q", values, got, want)
			}
		}
	}
}
