// Package payments is the interface to payment providers.
//
// It owns the interface [Gateway], shaped like payment intents, so that a real
// provider fits behind it. Every call carries a key, and a repeat of a call with
// its key has no further effect. The key also finds the outcome of a call whose
// answer was lost. [Sandbox] is a provider for development: it moves no money, and
// its answer follows from the amount. [Webhook] reads what a provider sends of its
// own accord. The service decides what an answer means for its orders.
package payments

import (
	"context"
	"errors"

	"github.com/entwine-go/entwine/kit/problem"
)

// Gateway takes money and pays it back. Calls end with their context.
type Gateway interface {
	// Name is the gateway's name.
	Name() string
	// Charge takes money. An error says nothing about whether it was taken:
	// [Gateway.Retrieve] does.
	Charge(ctx context.Context, c Charge) (Result, error)
	// Refund pays back of a charge that succeeded. An error is as for Charge.
	Refund(ctx context.Context, r Refund) (Result, error)
	// Retrieve returns the outcome of the charge or refund with the key. The
	// error is [ErrUnknown] where the gateway has never heard of it.
	Retrieve(ctx context.Context, key string) (Result, error)
	// Cancel makes sure that a charge or refund that the gateway has never
	// heard of never happens: a call that is still on its way is refused. It
	// returns the outcome of one that it has heard of.
	Cancel(ctx context.Context, key string) (Result, error)
}

// Charge asks for money.
type Charge struct {
	// Key is the charge's identity.
	Key string
	// Amount is in minor units of the currency.
	Amount   int64
	Currency string // the ISO 4217 code
}

// Refund asks that money is paid back.
type Refund struct {
	// Key is the refund's identity, Charge the key of the charge.
	Key, Charge string
	Amount      int64  // in minor units of the currency
	Currency    string // the ISO 4217 code: that of the charge
}

// Outcome is the state of a charge or a refund.
type Outcome string

// The outcomes. A pending one has another, later.
const (
	Pending   Outcome = "pending"
	Succeeded Outcome = "succeeded"
	Failed    Outcome = "failed"
)

// Result is a gateway's answer.
type Result struct {
	Outcome Outcome // pending while the gateway has not decided
	// Reference is the gateway's name for the charge or refund.
	Reference string
	// Reason says why it failed, for people.
	Reason string
}

// ErrUnknown says that a gateway has never heard of a key.
var ErrUnknown = errors.New("the gateway knows no such charge")

// errTimeout and errUpstream are the errors of a call whose answer is lost.
func errTimeout(err error) error {
	return problem.Wrap(err, problem.GatewayTimeout, "the payment gateway took too long: ask again for what became of it")
}

func errUpstream(err error) error {
	return problem.Wrap(err, problem.BadGateway, "the payment gateway failed: ask again for what became of it")
}
