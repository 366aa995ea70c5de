package web

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/viewer"
)

// The cookies that hold credentials.
const (
	// TokenCookie holds an access token.
	TokenCookie = "token"
	// SessionCookie holds the secret of a session.
	SessionCookie = "session"
	// RefreshCookie holds a refresh token. Only the operations that refresh accept it.
	RefreshCookie = "refreshToken"
	// ProviderCookie ties a sign-in at an identity provider to the browser
	// that began it.
	ProviderCookie = "idp"
	// DeviceCookie says to which accounts a browser has signed in before. It proves
	// nothing. Every version's sign-in gets it, and GraphQL's.
	DeviceCookie = "__Host-device"
)

// Cookie returns a cookie with a credential that ends at a time. Those with a
// token are secure everywhere, the others where secure is set
// (doc/api/authentication.md); browsers take http://localhost for secure.
func Cookie(name, value string, expires time.Time, secure bool) *http.Cookie {
	c := emptyCookie(name) //nolint:gosec // G124: it sets them
	c.Value, c.MaxAge = value, int((time.Until(expires)+time.Second-1)/time.Second)
	c.Secure = c.Secure || secure
	return c
}

// NoCookie returns a cookie that takes the credential away.
func NoCookie(name string, secure bool) *http.Cookie {
	c := emptyCookie(name) //nolint:gosec // G124: it sets them
	c.MaxAge = -1
	c.Secure = c.Secure || secure
	return c
}

func emptyCookie(name string) *http.Cookie {
	c := &http.Cookie{Name: name, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode}
	switch name {
	case TokenCookie:
		c.Secure = true
	case RefreshCookie:
		// Every version's refresh gets it, and nothing outside of the API.
		c.Path, c.Secure, c.SameSite = expose.Prefix, true, http.SameSiteStrictMode
	case ProviderCookie:
		c.Path = expose.Prefix
	case DeviceCookie:
		c.Secure, c.SameSite = true, http.SameSiteStrictMode
	}
	return c
}

// mayTouchCookies reports whether a request may be judged by a cookie, or be
// answered with one: a browser sends and takes them for any page that asks it
// to. A page of another site can't have it send the other credentials, but
// to what gives credentials they don't count, and GraphQL has sign-ins among its
// operations.
func (e *Edge) mayTouchCookies(r *http.Request) bool {
	if e.isAuth(r.URL.Path) && (len(r.Header["Cookie"]) > 0 || !e.isPlain(r.URL.Path)) {
		return true
	}
	if r.Header["Authorization"] != nil || r.Header["X-Api-Key"] != nil {
		return false
	}
	if r.URL.Path == GraphQLPath {
		return true
	}
	if len(r.Header["Cookie"]) == 0 {
		return false
	}
	for _, name := range []string{TokenCookie, SessionCookie} {
		if _, err := r.Cookie(name); err == nil {
			return true
		}
	}
	return false
}

// asksSimply reports whether a request is one of GraphQL's that a browser sends
// with its cookies for a page of any site, without asking first: a GET, but
// for one with a header that only a preflight allows.
func (e *Edge) asksSimply(r *http.Request) bool {
	if r.URL.Path != GraphQLPath || r.URL.RawQuery == "" || r.Method != http.MethodGet && r.Method != http.MethodHead ||
		len(r.Header["Cookie"]) == 0 || !e.mayTouchCookies(r) {
		return false
	}
	if Preflighted(r) {
		return false
	}
	media, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	return !strings.EqualFold(strings.TrimSpace(media), "application/json")
}

// Preflighted reports whether a request has a header that a browser sends for a page of
// another site after a preflight alone.
func Preflighted(r *http.Request) bool {
	return slices.ContainsFunc(preflighted, func(name string) bool { return r.Header.Get(name) != "" })
}

// preflighted are headers that clients send to have a preflight.
var preflighted = []string{"Apollo-Require-Preflight", "GraphQL-Require-Preflight", "X-Apollo-Operation-Name", "X-Requested-With"}

// cookieViewer returns whom a cookie proves the request to be from. One that
// proves nothing is taken away.
func (e *Edge) cookieViewer(ctx context.Context, w http.ResponseWriter, r *http.Request) (*viewer.Viewer, error) {
	for _, c := range [...]struct {
		name  string
		prove func(ctx context.Context, credential string) (*viewer.Viewer, error)
	}{{TokenCookie, e.Auth.Token}, {SessionCookie, e.Auth.Session}} {
		cookie, err := r.Cookie(c.name)
		if err != nil {
			continue
		}
		v, err := c.prove(ctx, cookie.Value)
		if Unauthenticated(err) {
			http.SetCookie(w, NoCookie(c.name, e.secure(r)))
		}
		return v, err
	}
	return nil, nil
}
