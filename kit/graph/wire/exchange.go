package wire

import (
	"context"
	"net/http"

	"github.com/99designs/gqlgen/graphql"

	"github.com/entwine-go/entwine/kit/internal/graph/prepared"
)

// Exchange is the request that an operation came with, and the header of its
// answer. An operation over a connection that stays open has none: there is no
// header there that could set a cookie.
type Exchange struct {
	Request *http.Request
	Header  http.Header
}

// ExchangeOf returns the exchange of an operation, nil where it has none.
func ExchangeOf(ctx context.Context) *Exchange {
	if !graphql.HasOperationContext(ctx) {
		return nil
	}
	o := prepared.Of(graphql.GetOperationContext(ctx))
	if o == nil || o.Request == nil {
		return nil
	}
	return &Exchange{o.Request, o.Header}
}
