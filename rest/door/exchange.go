package door

import (
	"context"
	"net/http"
)

// Exchange is a request and what is known of it before its handler runs.
// ogen's handlers get a context and no request, so it travels there.
type Exchange struct {
	Request *http.Request
	// Header is the answer's.
	Header http.Header
	// Base is where the paths of this version begin: "/api/v1".
	Base string
	// Operation is the operationId.
	Operation string
	// Body is the body as it was read, empty where there was none.
	Body []byte
}

type exchangeKey struct{}

// With returns a context that carries the exchange.
func With(ctx context.Context, x *Exchange) context.Context {
	return context.WithValue(ctx, exchangeKey{}, x)
}

// From returns the context's exchange. There is one in every handler.
func From(ctx context.Context) *Exchange {
	x, _ := ctx.Value(exchangeKey{}).(*Exchange)
	return x
}

// prefers reports whether the request asks for the preference (RFC 7240).
func (x *Exchange) prefers(preference string) bool {
	for _, header := range x.Request.Header.Values("Prefer") {
		if hasToken(header, preference) {
			return true
		}
	}
	return false
}
