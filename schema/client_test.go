package schema_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/ent"
	orders "github.com/entwine-go/entwine/ent/order"
	"github.com/entwine-go/entwine/kit/store"
)

// Fields that the database counts have no setter in Ent's client: neither in creates, nor
// in updates, nor in upserts.
func TestTheClientSetsNoCount(t *testing.T) {
	for builder, fields := range map[any][]string{
		&ent.PostCreate{}:        {"LikesCount", "SharesCount"},
		&ent.PostUpdate{}:        {"LikesCount", "SharesCount"},
		&ent.PostUpdateOne{}:     {"LikesCount", "SharesCount"},
		&ent.ProductCreate{}:     {"ReviewsCount", "RatingSum", "Rating"},
		&ent.ProductUpdate{}:     {"ReviewsCount", "RatingSum", "Rating"},
		&ent.ProductUpdateOne{}:  {"ReviewsCount", "RatingSum", "Rating"},
		&ent.CategoryUpdateOne{}: {"PostsCount"},
	} {
		of := reflect.TypeOf(builder)
		for method := range of.Methods() {
			for _, verb := range []string{"Set", "SetNillable", "Add", "Clear"} {
				for _, f := range fields {
					if method.Name == verb+f {
						t.Errorf("%s has %s", of, method.Name)
					}
				}
			}
		}
		if _, ok := of.MethodByName("Save"); !ok || !strings.HasPrefix(of.String(), "*ent.") {
			t.Fatalf("%s is no builder", of)
		}
	}
}

// A row gets a state by Ent's client from one of those from which a move leads there.
func TestTheClientMakesMovesAlone(t *testing.T) {
	each(t, func(w world, _ *store.DB) {
		placed := save(w, w.Order.Create().SetUserID(owner).SetTotal(3998).SetCurrency("USD"))
		is := func(want orders.Status) {
			t.Helper()
			if got := w.Order.GetX(w.ctx, placed.ID).Status; got != want {
				t.Errorf("the order is %s, want %s", got, want)
			}
		}
		if err := w.Order.UpdateOneID(placed.ID).SetStatus(orders.StatusRefunded).Exec(w.ctx); !ent.IsNotFound(err) {
			t.Errorf("pending to refunded: %v, want no such row", err)
		}
		if n, err := w.Order.Update().Where(orders.ID(placed.ID)).SetStatus(orders.StatusPartiallyRefunded).Save(w.ctx); n != 0 || err != nil {
			t.Errorf("pending to partially_refunded: %d rows, %v, want none", n, err)
		}
		is(orders.StatusPending)
		w.must(w.Order.UpdateOneID(placed.ID).SetStatus(orders.StatusPending).SetTotal(3999).Exec(w.ctx))
		w.must(w.Order.UpdateOneID(placed.ID).SetStatus(orders.StatusPaid).SetPaidAt(w.at).Exec(w.ctx))
		is(orders.StatusPaid)
		if n, err := w.Order.Update().Where(orders.ID(placed.ID)).SetStatus(orders.StatusRefunded).Save(w.ctx); n != 1 || err != nil {
			t.Errorf("paid to refunded: %d rows, %v, want one", n, err)
		}
		is(orders.StatusRefunded)
	})
}
