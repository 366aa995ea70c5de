package ratelimit

import "context"

// Cost is how much of what requests cost counts as one more request.
const Cost = 100

// Account is what a caller is charged to while a request runs.
type Account interface {
	// Left is how much can be charged yet, as far as is known.
	Left() int
	// Charge counts n more, and returns a problem error if that is too much.
	Charge(ctx context.Context, n int) (Result, error)
	// Return gives back n of what was charged with that result.
	Return(ctx context.Context, charged Result, n int)
}

// Reserved is what a request was charged for before it is known what it is
// worth. The zero value is nothing.
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

type accountKey struct{}

// Context is a context whose request may be charged for more. Other contexts embed
// it that have more to say of a request.
type Context struct {
	context.Context
	// Account is what is charged, nil where requests are free.
	Account Account
}

// Value implements [context.Context].
func (c *Context) Value(key any) any {
	if key == (accountKey{}) {
		return c
	}
	return c.Context.Value(key)
}

// WithAccount returns a context whose request may be charged for more.
func WithAccount(ctx context.Context, a Account) context.Context { return &Context{ctx, a} }

// accountOf returns the context's account, nil where it has none.
func accountOf(ctx context.Context) Account {
	if c, ok := ctx.Value(accountKey{}).(*Context); ok {
		return c.Account
	}
	return nil
}

// Charge counts n more for the context's request, which is free in a
// context without an account. What turns out not to be used can be given back.
func Charge(ctx context.Context, n int) (Reserved, error) {
	a := accountOf(ctx)
	if a == nil || n <= 0 {
		return Reserved{}, nil
	}
	result, err := a.Charge(ctx, n)
	if err != nil {
		return Reserved{}, err
	}
	return Reserved{a, result}, nil
}

// Left is how much the context's request can be charged yet, and false in a
// context without an account.
func Left(ctx context.Context) (int, bool) {
	a := accountOf(ctx)
	if a == nil {
		return 0, false
	}
	return a.Left(), true
}
