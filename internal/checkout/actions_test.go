package checkout_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/entwine-go/entwine/ent/invoice"
	"github.com/entwine-go/entwine/ent/order"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/checkout"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/payments"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
)

// The actions that an order shows are those that are accepted, in every state
// and whatever it costs.
func TestActionsAreWhatCanBeDone(t *testing.T) {
	var acts = map[string]func(s *shop, id int64) error{
		"pay":    func(s *shop, id int64) error { _, err := s.PayOrder(s.ada, id); return err },
		"cancel": func(s *shop, id int64) error { return s.Cancel(s.ada, id) },
		"refund": func(s *shop, id int64) error { _, err := s.Refund(s.admin, id, checkout.Return{}); return err },
		"invoice": func(s *shop, id int64) error {
			s.must(s.BillAsked(s.ada))
			if !s.ent.Invoice.Query().Where(invoice.OrderID(typedid.OrderID(id))).ExistX(s.system) {
				return errors.New("there is no invoice")
			}
			return nil
		},
	}
	at := func(state order.Status, price int64) func(*shop) int64 {
		return func(s *shop) int64 { return s.reachAt(state, price) }
	}
	cases := map[string]func(*shop) int64{
		"pending, and costs nothing": at(order.StatusPending, 0), "paid, and cost nothing": at(order.StatusPaid, 0),
		"cancelled, and cost nothing": at(order.StatusCancelled, 0), "expired, and cost nothing": at(order.StatusExpired, 0),
		"declined": func(s *shop) int64 {
			id := s.order(1002)
			_, _ = s.PayOrder(s.ada, id)
			return id
		},
		"paid, and all of it on its way back":  func(s *shop) int64 { return s.returning(checkout.Return{}) },
		"paid, and some of it on its way back": func(s *shop) int64 { return s.returning(back(400)) },
		"paid, and a refund failed": func(s *shop) int64 {
			id := s.reachAt(order.StatusPaid, 1000)
			_, _ = s.Refund(s.admin, id, back(102))
			return id
		},
	}
	for _, state := range states {
		cases[string(state)] = at(state, 1000)
	}
	open(t, func(s *shop) {
		for name, reach := range cases {
			for action, act := range acts {
				id := reach(s)
				as := s.ada
				if action == "refund" {
					as = s.admin
				}
				shown := slices.Contains(s.actions(as, id), action)
				if err := act(s, id); shown != (err == nil || problem.KindOf(err) == problem.PaymentDeclined) {
					s.Errorf("%s: that one can %s it is shown: %v; it answers: %v", name, action, shown, err)
				}
			}
		}
	})
}

// returning is a paid order with a refund that the gateway has not decided.
func (s *shop) returning(wanted checkout.Return) int64 {
	s.Helper()
	id := s.reachAt(order.StatusPaid, 1000)
	genuine := s.Gateway
	defer func() { s.Gateway = genuine }()
	s.Gateway = hesitant{genuine}
	r, err := s.Refund(s.admin, id, wanted)
	s.must(err)
	if !r.Pending {
		s.Fatalf("the refund is %+v", r)
	}
	return id
}

// hesitant is a gateway that decides on refunds later.
type hesitant struct{ payments.Gateway }

func (hesitant) Refund(context.Context, payments.Refund) (payments.Result, error) {
	return payments.Result{Outcome: payments.Pending}, nil
}

// actions are the names of those that the order shows to the viewer.
func (s *shop) actions(ctx context.Context, id int64) (names []string) {
	s.Helper()
	shape := read.Select(entity.Order)
	shape.Field("actions", entity.OrderFields.Actions)
	reader := &read.Reader{DB: s.DB, Dialect: s.DB.Dialect}
	text, _, err := reader.Page(ctx, nil, shape, read.Query{Where: read.ByID(entity.Order, gid.Int(id)), Page: read.Page{Limit: 1}})
	s.must(err)
	var rows []struct {
		Actions []struct{ Name string }
	}
	s.must(json.Unmarshal(text, &rows))
	for _, a := range rows[0].Actions {
		names = append(names, a.Name)
	}
	return names
}
