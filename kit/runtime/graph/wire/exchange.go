package wire

import (
	"context"
	"net/http"
)

// Exchange is the request that an operation came with, and the header of its
// answer. An operation over a connection that stays open has none: there is no
// header there that could set a cookie.
type Exchange struct {
	Request *http.Request
	Header  http.Header
}

type exchangeKey struct{}

func withExchange(ctx context.Context, w http.ResponseWriter, r *http.Request) context.Context {
	return context.WithValue(ctx, exchangeKey{}, &Exchange{r, w.Header()})
}

// ExchangeOf returns the exchange of an operation, nil where it has none.
func ExchangeOf(ctx context.Context) *Exchange {
	x, _ := ctx.Value(exchangeKey{}).(*Exchange)
	return x
}
