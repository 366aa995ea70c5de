package gql

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/entwine-go/entwine/gql/generated"
	"github.com/entwine-go/entwine/internal/checkout"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/money"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/gid"
	"github.com/entwine-go/entwine/kit/runtime/graph/door"
	"github.com/entwine-go/entwine/kit/viewer"
)

// CreateOrder resolves createOrder.
func (r *resolver) CreateOrder(ctx context.Context, in *generated.CreateOrderInput, key *string) (*generated.Order, error) {
	if err := entity.Order.Rules.Check(viewer.From(ctx), policy.Create); err != nil {
		return nil, err
	}
	var items []checkout.Item
	if in != nil && in.Items.Value() != nil {
		items = []checkout.Item{}
		for i, item := range in.Items.Value() {
			id, err := gid.Parse(entity.Product.Name, item.ProductID)
			if err != nil {
				return nil, problem.Inputs(problem.Invalidf(fmt.Sprintf("input.items[%d].productId", i), item.ProductID, "%v", err))
			}
			items = append(items, checkout.Item{ProductID: id, Quantity: int64(item.Quantity)})
		}
	}
	call := door.Call{Entity: entity.Order, Verb: policy.Create, Mutation: "createOrder", Key: key, Arguments: []any{items}}
	id, err := r.door.Once(ctx, call, func(ctx context.Context) (int64, error) {
		id, err := r.Cashier.Place(ctx, items)
		return id, itemsOf(ofInput(err))
	})
	return orderOf(id, err)
}

// PayOrder resolves payOrder.
func (r *resolver) PayOrder(ctx context.Context, id string, key *string) (*generated.Order, error) {
	return r.onOrder(ctx, id, policy.Pay, func(ctx context.Context, order int64) error {
		call := door.Call{Entity: entity.Order, Verb: policy.Pay, Mutation: "payOrder", Key: key, Arguments: []any{order}}
		_, err := r.door.Outside(ctx, call, func(ctx context.Context) (int64, error) {
			_, err := r.Cashier.PayOrder(ctx, order)
			return order, err
		})
		return err
	})
}

// CancelOrder resolves cancelOrder.
func (r *resolver) CancelOrder(ctx context.Context, id string, key *string) (*generated.Order, error) {
	return r.onOrder(ctx, id, policy.Cancel, func(ctx context.Context, order int64) error {
		call := door.Call{Entity: entity.Order, Verb: policy.Cancel, Mutation: "cancelOrder", Key: key, Arguments: []any{order}}
		_, err := r.door.Once(ctx, call, func(ctx context.Context) (int64, error) {
			return order, r.Cashier.Cancel(ctx, order)
		})
		return err
	})
}

// RefundOrder resolves refundOrder.
func (r *resolver) RefundOrder(ctx context.Context, id string, amount *float64, reason *string, restock *bool, key *string) (*generated.Order, error) {
	return r.onOrder(ctx, id, policy.Refund, func(ctx context.Context, order int64) error {
		back, err := returned(amount, reason)
		if err != nil {
			return err
		}
		back.Restock = restock != nil && *restock
		call := door.Call{Entity: entity.Order, Verb: policy.Refund, Mutation: "refundOrder", Key: key, Arguments: []any{order, back}}
		_, err = r.door.Outside(ctx, call, func(ctx context.Context) (int64, error) {
			_, err := r.Cashier.Refund(ctx, order, back)
			return order, err
		})
		return err
	})
}

// RefundPayment resolves refundPayment.
func (r *resolver) RefundPayment(ctx context.Context, id string, amount *float64, reason, key *string) (*generated.Payment, error) {
	if err := entity.Payment.Rules.Check(viewer.From(ctx), policy.Refund); err != nil {
		return nil, err
	}
	payment, err := door.Key(entity.Payment, id)
	if err != nil {
		return nil, err
	}
	back, err := returned(amount, reason)
	if err != nil {
		return nil, err
	}
	call := door.Call{Entity: entity.Payment, Verb: policy.Refund, Mutation: "refundPayment", Key: key, Arguments: []any{payment, back}}
	_, err = r.door.Outside(ctx, call, func(ctx context.Context) (int64, error) {
		_, err := r.Cashier.RefundPayment(ctx, payment, back)
		return payment, err
	})
	if err != nil {
		return nil, err
	}
	return &generated.Payment{ID: gid.Encode(entity.Payment.Name, payment)}, nil
}

// returned is what a refund asks for.
func returned(amount *float64, reason *string) (checkout.Return, error) {
	back := checkout.Return{Reason: optional(reason)}
	if amount != nil {
		back.Amount = decimal(*amount)
	}
	if utf8.RuneCountInString(back.Reason) > 500 {
		return back, problem.Inputs(problem.Rulef("reason", nil, "must be at most 500 characters"))
	}
	if err := expose.ValidLine(back.Reason); err != nil {
		return back, problem.Inputs(problem.Rulef("reason", back.Reason, "%v", err))
	}
	return back, nil
}

// onOrder does something to the order, and answers with it. What is said of
// who may comes before what is said of the input.
func (r *resolver) onOrder(ctx context.Context, id, verb string, act func(context.Context, int64) error) (*generated.Order, error) {
	if err := entity.Order.Rules.Check(viewer.From(ctx), verb); err != nil {
		return nil, err
	}
	order, err := door.Key(entity.Order, id)
	if err != nil {
		return nil, err
	}
	return orderOf(order, act(ctx, order))
}

// CreatePayment resolves createPayment.
func (r *resolver) CreatePayment(ctx context.Context, in generated.CreatePaymentInput, key *string) (*generated.Payment, error) {
	if err := entity.Payment.Rules.Check(viewer.From(ctx), policy.Create); err != nil {
		return nil, err
	}
	p := checkout.Payment{Currency: in.Currency}
	var err error
	if p.Amount, err = checkout.ParseAmount(decimal(in.Amount), in.Currency); err != nil {
		return nil, ofInput(err)
	}
	if order := in.OrderID.Value(); order != nil {
		if p.OrderID, err = gid.Parse(entity.Order.Name, *order); err != nil {
			return nil, problem.Inputs(problem.Invalidf("input.orderId", *order, "%v", err))
		}
	}
	call := door.Call{Entity: entity.Payment, Verb: policy.Create, Mutation: "createPayment", Key: key, Arguments: []any{p}}
	id, err := r.door.Outside(ctx, call, func(ctx context.Context) (int64, error) {
		made, err := r.Cashier.Pay(ctx, p)
		if err == nil && made.ID == 0 {
			err = problem.New(problem.Conflict, "the order costs nothing: use payOrder")
		}
		return made.ID, itemsOf(ofInput(err))
	})
	if err != nil {
		return nil, err
	}
	return &generated.Payment{ID: gid.Encode(entity.Payment.Name, id)}, nil
}

// PaymentStatus resolves paymentStatus.
func (q *queries) PaymentStatus(ctx context.Context, orderID string) (*generated.PaymentStatusOfOrder, error) {
	if v := viewer.From(ctx); entity.Order.Rules.Readable(v, false).Never() {
		return nil, policy.Denied(v)
	}
	id, err := gid.Parse(entity.Order.Name, orderID)
	if err != nil {
		return nil, problem.Inputs(problem.Invalidf("orderId", orderID, "%v", err))
	}
	s, err := q.Cashier.PaymentStatus(ctx, id)
	if err != nil {
		return nil, err
	}
	status := &generated.PaymentStatusOfOrder{
		OrderID: gid.Encode(entity.Order.Name, id), PaymentStatus: generated.OrderPaymentStatus(s.Status), Currency: s.Currency,
		AmountDue: money.Float(s.Due, s.Currency), AmountPaid: money.Float(s.Paid, s.Currency), AmountRefunded: money.Float(s.Refunded, s.Currency),
		Payments: make([]*generated.Payment, len(s.Payments)),
	}
	for i, p := range s.Payments {
		status.Payments[i] = &generated.Payment{ID: gid.Encode(entity.Payment.Name, int64(p.ID))}
	}
	return status, nil
}

// itemsOf gives inputs the names that they have here.
func itemsOf(err error) error {
	return problem.Retold(err, func(d problem.Detail) problem.Detail {
		d.Field = strings.NewReplacer(".product_id", ".productId", ".order_id", ".orderId").Replace(d.Field)
		return d
	})
}

// orderOf is the order with the id, unless there is an error. What is selected
// of it is read afterwards.
func orderOf(id int64, err error) (*generated.Order, error) {
	if err != nil {
		return nil, err
	}
	return &generated.Order{ID: gid.Encode(entity.Order.Name, id)}, nil
}

// decimal writes a number as the shortest text that stands for it.
func decimal(number float64) string { return strconv.FormatFloat(number, 'f', -1, 64) }
