package gql

import (
	"context"
	"net/http"

	"github.com/entwine-go/entwine/internal/account"
	"github.com/entwine-go/entwine/kit/runtime/web"
)

// exchange is the request that an operation came with, and the header of its
// answer. An operation over a connection that stays open has none: nobody
// could set a cookie there.
type exchange struct {
	request *http.Request
	header  http.Header
}

type exchangeKey struct{}

func withExchange(ctx context.Context, w http.ResponseWriter, r *http.Request) context.Context {
	return context.WithValue(ctx, exchangeKey{}, &exchange{r, w.Header()})
}

func exchangeOf(ctx context.Context) *exchange {
	x, _ := ctx.Value(exchangeKey{}).(*exchange)
	return x
}

// cookieOf returns what the client's cookie holds, nothing without one.
func cookieOf(ctx context.Context, name string) string {
	x := exchangeOf(ctx)
	if x == nil {
		return ""
	}
	cookie, err := x.request.Cookie(name)
	if err != nil {
		return ""
	}
	return cookie.Value
}

// setCookie gives the browser what a grant holds for it, and takes away what
// would have its requests go on in the name of somebody else.
func (r *resolver) setCookie(ctx context.Context, grant *account.Grant) {
	name, token := web.RefreshCookie, grant.Refresh
	switch grant.Mode {
	case account.ModeCookie:
		name, token = web.TokenCookie, grant.Access
		r.clearCookies(ctx, web.SessionCookie)
	case account.ModeSession:
		name, token = web.SessionCookie, grant.Session
		r.clearCookies(ctx, web.TokenCookie)
	}
	r.addCookie(ctx, web.Cookie(name, token.Text, token.Expires, r.SecureCookies))
}

func (r *resolver) clearCookies(ctx context.Context, names ...string) {
	for _, name := range names {
		r.addCookie(ctx, web.NoCookie(name, r.SecureCookies))
	}
}

// addCookie adds a cookie to the answer. A refresh token stays with the API
// that gave it: the one of REST is sent to /api alone, this one here alone.
func (r *resolver) addCookie(ctx context.Context, cookie *http.Cookie) {
	x := exchangeOf(ctx)
	if x == nil {
		return
	}
	if cookie.Name == web.RefreshCookie {
		cookie.Path = web.GraphQLPath
	}
	x.header.Add("Set-Cookie", cookie.String())
}
