package checkout

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/order"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/money"
	"github.com/entwine-go/entwine/kit/payments"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/write"
)

// Payment asks for money: for an order, or alone.
type Payment struct {
	// Amount is in minor units.
	Amount   int64
	Currency string
	// OrderID is the order that is paid, 0 for none.
	OrderID int64
}

// Receipt is the outcome of a payment or a refund that was asked for.
type Receipt struct {
	// ID is the payment's or the refund's, 0 where there was nothing to pay.
	ID int64
	// Pending is set where the gateway has not decided yet.
	Pending bool
	// Again is set where the request had been made before.
	Again bool
}

// attempt is a payment that has begun.
type attempt struct {
	*ent.Payment // nil where there was nothing to pay
}

func (a attempt) settlement() Settlement { return Settlement{PaymentID: int64(a.ID)} }

func paymentKey(id int64) string { return "payment-" + strconv.FormatInt(id, 10) }

// PayOrder takes the money for an order. Of any number of callers at once one
// begins; for the others it is [write.ErrMoved]. A payment that the gateway
// declines leaves the order as it was, and is an error.
//
// It takes two transactions, with the gateway between them, so it must not be
// called in one. The context may carry an [idempotency.Ticket].
func (c *Cashier) PayOrder(ctx context.Context, id int64) (Receipt, error) {
	return c.pay(ctx, func(ctx context.Context) (attempt, error) { return c.beginOrder(ctx, id, nil) })
}

// Pay takes money: the price of an order, as [Cashier.PayOrder] does, or any other
// amount.
func (c *Cashier) Pay(ctx context.Context, p Payment) (Receipt, error) {
	return c.pay(ctx, func(ctx context.Context) (attempt, error) {
		if p.OrderID == 0 {
			return c.beginAlone(ctx, p)
		}
		return c.beginOrder(ctx, p.OrderID, &p)
	})
}

// number is an amount as a client has sent it.
func number(minor int64, currency string) json.Number {
	return json.Number(money.Append(nil, minor, currency))
}

// pay begins a payment, asks the gateway and writes down what it answers.
func (c *Cashier) pay(ctx context.Context, begin func(context.Context) (attempt, error)) (Receipt, error) {
	var a attempt
	again := false
	err := c.DB.InTx(ctx, func(ctx context.Context) (err error) {
		if again, err = idempotency.TicketOf(ctx).Begin(ctx); err != nil || again {
			return err
		}
		a, err = begin(ctx)
		return err
	})
	switch {
	case err != nil:
		return Receipt{}, err
	case again:
		return c.paidBefore(ctx)
	case a.Payment == nil:
		return Receipt{}, nil
	}
	call, cancel := c.asking(ctx)
	result, err := c.Gateway.Charge(call, payments.Charge{Key: a.settlement().key(), Amount: a.Amount, Currency: a.Currency})
	cancel()
	if err != nil {
		return Receipt{}, c.unanswered(ctx, call, a.settlement(), err)
	}
	if result.Outcome == payments.Pending {
		c.settleLater(ctx, a.settlement())
		return Receipt{ID: int64(a.ID), Pending: true}, nil
	}
	ctx, cancel = recording(ctx)
	defer cancel()
	if err := c.recordPayment(ctx, a.ID, a.OrderID, result); err != nil {
		return Receipt{}, err
	}
	return standing(Receipt{ID: int64(a.ID)}, result)
}

// beginOrder marks the order as processing and writes the payment that it is
// processing for: none, where there is nothing to pay. A requested amount must be
// the order's total.
func (c *Cashier) beginOrder(ctx context.Context, id int64, asked *Payment) (attempt, error) {
	n, err := c.Ent.Order.Update().Where(order.ID(typedid.OrderID(id)), orderAt("pay")).SetStatus(order.StatusProcessing).Save(policy.As(ctx, "pay"))
	if err != nil {
		return attempt{}, fmt.Errorf("pay order %d: %w", id, err)
	}
	if n == 0 {
		return attempt{}, &write.MovedError{Entity: rows.Order, ID: gid.Int(id), Verb: "pay"}
	}
	p := ent.Payment{OrderID: new(typedid.OrderID)}
	*p.OrderID = typedid.OrderID(id)
	var amount, currency any // as asked
	if asked != nil {
		amount, currency = asked.Amount, asked.Currency
	}
	begun, err := orderPaymentText.Row(ctx, c.DB, []any{&p.ID, &p.Amount, &p.Currency}, id, c.Gateway.Name(), requestKey(ctx), amount, currency)
	if err != nil {
		return attempt{}, fmt.Errorf("begin the payment of order %d: %w", id, err)
	}
	if !begun {
		return attempt{}, c.unpayable(system(ctx), id, asked)
	}
	return attempt{&p}, nil
}

// SQL, because one statement reads what the order costs and writes the payment of that,
// where the client would need two. A caller who may pay an order may have its payment
// written.
var orderPaymentText = statement.Of(`
	INSERT INTO payments (status, amount, amount_refunded, currency, gateway, request_key, order_id, user_id, version, created_at, updated_at)
	SELECT 'processing', total, 0, currency, $2::text, $3::text, id, user_id, 1, now(), now() FROM orders
	WHERE id = $1 AND total > 0 AND ($4::bigint IS NULL OR total = $4::bigint AND currency = $5::text)
	RETURNING id, amount, currency`)

// unpayable says why an order has no payment: it costs something else than is asked, or
// nothing, and is paid then.
func (c *Cashier) unpayable(ctx context.Context, id int64, asked *Payment) error {
	o, err := c.Ent.Order.Get(ctx, typedid.OrderID(id))
	switch {
	case err != nil:
		return fmt.Errorf("read order %d: %w", id, err)
	case o.Total == 0:
		return c.paid(ctx, o.ID, store.Time(c.now())) // no gateway takes nothing
	}
	return problem.Inputs(problem.Rulef("amount", number(asked.Amount, asked.Currency), "must be what the order costs: %s %s", money.Append(nil, o.Total, o.Currency), o.Currency))
}

// beginAlone writes a payment that is for no order.
func (c *Cashier) beginAlone(ctx context.Context, p Payment) (attempt, error) {
	if p.Amount < 1 || p.Amount > money.Most(p.Currency) {
		return attempt{}, problem.Inputs(problem.Rulef("amount", number(p.Amount, p.Currency), "must be more than 0, and not more than can be paid at once"))
	}
	made, err := c.Ent.Payment.Create().SetUserID(typedid.UserID(viewer.From(ctx).UserID)).SetAmount(p.Amount).SetCurrency(p.Currency).
		SetGateway(c.Gateway.Name()).SetNillableRequestKey(requestKey(ctx)).Save(ctx)
	if err != nil {
		return attempt{}, fmt.Errorf("begin a payment: %w", err)
	}
	return attempt{made}, nil
}

// requestKey is the idempotency key of the request, nil without one.
func requestKey(ctx context.Context) *string {
	if key := idempotency.TicketOf(ctx).Outside(); key != "" {
		return &key
	}
	return nil
}

// unanswered has the columns of a call to the gateway that has no answer. A job
// finds out what became of it.
func (c *Cashier) unanswered(ctx, call context.Context, s Settlement, err error) error {
	c.settleLater(ctx, s)
	c.Log.WarnContext(ctx, "the payment gateway did not answer", "gateway", c.Gateway.Name(), "err", err)
	if problem.As(err) != nil {
		return err
	}
	if call.Err() != nil {
		return problem.Wrap(err, problem.GatewayTimeout, "the payment gateway took too long: ask again for what became of it")
	}
	return problem.Wrap(err, problem.BadGateway, "the payment gateway failed: ask again for what became of it")
}

// standing is the answer to a request whose payment or refund has come to this.
func standing(r Receipt, result payments.Result) (Receipt, error) {
	if result.Outcome == payments.Failed {
		return r, problem.New(problem.PaymentDeclined, "%s", result.Reason)
	}
	return r, nil
}
