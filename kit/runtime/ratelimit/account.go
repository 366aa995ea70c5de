package ratelimit

import "context"

// Account is what a caller is charged to while a request runs.
type Account interface {
	// Left is how much can be charged yet, as far as is known.
	Left() int
	// Charge counts n more, and returns a problem error if that is too much.
	Charge(ctx context.Context, n int) error
}

type accountKey struct{}

// WithAccount returns a context whose request may be charged for more.
func WithAccount(ctx context.Context, a Account) context.Context {
	return context.WithValue(ctx, accountKey{}, a)
}

// Charge counts n more for the context's request, which is free where nobody counts.
func Charge(ctx context.Context, n int) error {
	a, _ := ctx.Value(accountKey{}).(Account)
	if a == nil || n <= 0 {
		return nil
	}
	return a.Charge(ctx, n)
}

// Left is how much the context's request can be charged yet, and false where
// nobody counts.
func Left(ctx context.Context) (int, bool) {
	a, _ := ctx.Value(accountKey{}).(Account)
	if a == nil {
		return 0, false
	}
	return a.Left(), true
}
