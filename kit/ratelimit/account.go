package ratelimit

import (
	"context"

	"github.com/entwine-go/entwine/kit/internal/carry"
	"github.com/entwine-go/entwine/kit/problem"
)

// Cost is the amount of cost that counts as one more request.
const Cost = 100

// Account has a caller's charges while a request runs.
type Account interface {
	// Left is how much can be charged yet, as far as is known.
	Left() int
	// Charge counts n more, and returns a problem error if that is too much.
	Charge(ctx context.Context, n int) (Result, error)
	// Return gives back n of a charge with that result.
	Return(ctx context.Context, charged Result, n int)
}

// Reserved is the charge of a request before its cost is known. The zero value is
// nothing.
type Reserved struct {
	account Account
	result  Result
}

// Settle gives back what is reserved beyond used.
func (r Reserved) Settle(ctx context.Context, used int) {
	if r.account != nil && used < r.result.Taken {
		r.account.Return(ctx, r.result, r.result.Taken-used)
	}
}

// Context is a context whose request is charged to the account that it holds, nil
// where requests are free. A context that has more to say of a request has it as a
// field.
type Context = carry.Context[Account]

// WithAccount returns a context whose request may be charged for more.
func WithAccount(ctx context.Context, a Account) context.Context { return carry.With(ctx, a) }

// Charge counts n more for the context's request, which is free in a context
// without an account. The unused part of a charge can be given back.
func Charge(ctx context.Context, n int) (Reserved, error) {
	a := carry.From[Account](ctx)
	if a == nil || n <= 0 {
		return Reserved{}, nil
	}
	result, err := a.Charge(ctx, n)
	if err != nil {
		return Reserved{}, err
	}
	return Reserved{a, result}, nil
}

// ChargeCost counts what a request makes the database read, beside the request
// itself: [Cost] of it counts as one more. A refusal ends with the text of explain
// about the cost, and how to ask for less.
func ChargeCost(ctx context.Context, cost int, explain func() string) (Reserved, error) {
	reserved, err := Charge(ctx, cost/Cost)
	p := problem.As(err)
	if p == nil || p.Kind != problem.RateLimited {
		return reserved, err
	}
	explained := *p
	explained.Message += "; " + explain() + ", or wait"
	return Reserved{}, &explained
}

// SettleCost is Settle for [ChargeCost].
func (r Reserved) SettleCost(ctx context.Context, cost int) { r.Settle(ctx, cost/Cost) }

// Left is how much the context's request can be charged yet, and false in a
// context without an account.
func Left(ctx context.Context) (int, bool) {
	a := carry.From[Account](ctx)
	if a == nil {
		return 0, false
	}
	return a.Left(), true
}
