package web

import (
	"context"
	"net/http"
	"strings"

	"github.com/entwine-go/entwine/internal/problem"
	"github.com/entwine-go/entwine/internal/viewer"
)

// Authenticator proves credentials. Its errors are problem errors of the
// kinds that are answered with 401, unless something else went wrong.
type Authenticator interface {
	// Token returns whom an access token was issued to.
	Token(ctx context.Context, token string) (*viewer.Viewer, error)
	// APIKey returns the client that a key belongs to.
	APIKey(ctx context.Context, key string) (*viewer.Viewer, error)
}

// TokenCookie is the cookie that can hold an access token.
const TokenCookie = "token"

// sameOrigin tells requests that a page of another site makes a browser send.
var sameOrigin = http.NewCrossOriginProtection()

// authenticate puts the viewer into the context. A credential that is there
// and bad is refused, whatever others there are; without any, the request is
// anonymous and policies say what that means.
func (e *Edge) authenticate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v, err := e.viewer(w, r)
		if err != nil {
			e.refuse(w, r, err)
			return
		}
		if v == nil {
			next.ServeHTTP(w, r)
			return
		}
		w.(*exchange).viewer = v
		next.ServeHTTP(w, r.WithContext(viewer.With(r.Context(), v)))
	})
}

// viewer returns whom the request is from, nil without credentials.
func (e *Edge) viewer(w http.ResponseWriter, r *http.Request) (*viewer.Viewer, error) {
	if values, ok := r.Header["Authorization"]; ok {
		token, err := bearer(values)
		if err != nil {
			return nil, err
		}
		return e.Auth.Token(r.Context(), token)
	}
	if values, ok := r.Header["X-Api-Key"]; ok {
		if len(values) != 1 {
			return nil, problem.New(problem.TokenInvalid, "one API key is needed, not %d", len(values))
		}
		return e.Auth.APIKey(r.Context(), values[0])
	}
	if len(r.Header["Cookie"]) == 0 {
		return nil, nil
	}
	return e.cookieViewer(w, r)
}

// bearer returns the token of an Authorization header.
func bearer(values []string) (string, error) {
	if len(values) != 1 {
		return "", problem.ErrAuthRequired
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	if token = strings.TrimLeft(token, " "); token == "" || !strings.EqualFold(scheme, "Bearer") {
		return "", problem.ErrAuthRequired
	}
	return token, nil
}

// cookieViewer returns whom the token in the cookie was issued to. A browser
// sends cookies for any page that asks it to, so a request that changes
// something must come from our own.
func (e *Edge) cookieViewer(w http.ResponseWriter, r *http.Request) (*viewer.Viewer, error) {
	cookie, err := r.Cookie(TokenCookie)
	if err != nil {
		return nil, nil //nolint:nilerr // there is none
	}
	if err := sameOrigin.Check(r); err != nil {
		return nil, problem.Wrap(err, problem.Forbidden, "the request comes from another site")
	}
	v, err := e.Auth.Token(r.Context(), cookie.Value)
	if unauthenticated(err) {
		http.SetCookie(w, &http.Cookie{
			Name: TokenCookie, Path: "/", MaxAge: -1,
			HttpOnly: true, Secure: true, SameSite: http.SameSiteLaxMode,
		})
	}
	return v, err
}

func unauthenticated(err error) bool {
	switch problem.KindOf(err) {
	case problem.Unauthenticated, problem.TokenInvalid, problem.TokenExpired:
		return true
	}
	return false
}
