package gql

import (
	"context"
	"net/http"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/runtime/graph/wire"
	"github.com/entwine-go/entwine/kit/runtime/web"
)

// cookieOf returns what the client's cookie holds, nothing without one.
func cookieOf(ctx context.Context, name string) string {
	x := wire.ExchangeOf(ctx)
	if x == nil {
		return ""
	}
	cookie, err := x.Request.Cookie(name)
	if err != nil {
		return ""
	}
	return cookie.Value
}

// setCookie gives the browser what a grant holds for it, and takes away cookies
// that would have its requests go on as another user's.
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
func (r *resolver) addCookie(ctx context.Context, cookie *http.Cookie) { //nolint:gosec // package account has set what it needs
	x := wire.ExchangeOf(ctx)
	if x == nil {
		return
	}
	if cookie.Name == web.RefreshCookie {
		cookie.Path = web.GraphQLPath
	}
	x.Header.Add("Set-Cookie", cookie.String())
}
