package web

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/ratelimit"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Authenticator proves credentials. Its errors are problem errors of the
// kinds that are answered with 401, unless something else went wrong.
type Authenticator interface {
	// Token returns whom an access token was issued to.
	Token(ctx context.Context, token string) (*viewer.Viewer, error)
	// Session returns whose session has the secret.
	Session(ctx context.Context, secret string) (*viewer.Viewer, error)
	// APIKey returns the client that a key belongs to.
	APIKey(ctx context.Context, key string) (*viewer.Viewer, error)
}

// authenticate puts the viewer into the context. A credential that is there
// and bad is refused, whatever others there are; without any, the request is
// anonymous and policies say what that means.
func (e *Edge) authenticate(next http.Handler, p Page) http.Handler {
	from := e.sameOrigin()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := e.budget(w, r, p)
		defer cancel()
		v, account, over, err := e.caller(ctx, w, r, from)
		switch {
		case over != nil: // before the credentials, or guessing them would cost nothing
			err = over
		case err == nil:
			if err = judgeMethod(r, v); err == nil {
				err = e.judgeBody(w, r, p)
			}
		}
		if err == nil {
			err = e.enter(ctx, w, r)
			defer w.(*exchange).leave()
		}
		if err != nil {
			e.refuse(w, r, err)
			return
		}
		if v != nil {
			w.(*exchange).viewer, w.(*exchange).known = v, true
		}
		if e.Observer != nil {
			v = e.Observer.As(r.Context(), v)
		}
		if s := w.(*exchange).scope; s != nil {
			e.enrich(s, w, r, v, account)
			next.ServeHTTP(w, r) // which has the scope already
			return
		}
		next.ServeHTTP(w, r.WithContext(e.within(ctx, w, r, v, account)))
	})
}

// judgeMethod refuses what may change something to an admin who sees as another. GraphQL
// says of its operations itself what they do.
func judgeMethod(r *http.Request, v *viewer.Viewer) error {
	if v == nil || r.Method == http.MethodGet || r.Method == http.MethodHead || r.URL.Path == GraphQLPath {
		return nil
	}
	return v.MayChange()
}

// enrich has the request's context say on whose behalf it runs.
func (e *Edge) enrich(s *scope, w http.ResponseWriter, r *http.Request, v *viewer.Viewer, a *account) {
	s.viewer.Held, s.caller.Held = v, e.callerOf(r, v)
	s.account = ratelimit.Context{Context: w.(*exchange).follow(s.account.Context, e, r), Held: s.account.Held}
	if e.tellsClient(r) {
		s.visit, s.named = e.visitOf(w, r), true
	}
	if a != nil {
		s.account.Held = a
	}
}

// within does the same where the context is not the edge's own.
func (e *Edge) within(ctx context.Context, w http.ResponseWriter, r *http.Request, v *viewer.Viewer, a *account) context.Context {
	ctx = store.WithCaller(w.(*exchange).follow(ctx, e, r), e.callerOf(r, v))
	if e.tellsClient(r) {
		v := e.visitOf(w, r)
		ctx = context.WithValue(ctx, clientKey{}, &v)
	}
	if a != nil {
		ctx = ratelimit.WithAccount(ctx, a)
	}
	if v != nil {
		ctx = viewer.With(ctx, v)
	}
	return ctx
}

// tellsClient reports whether a request may sign a user in, or asks for a stream, which
// counts for the address of an anonymous caller.
func (e *Edge) tellsClient(r *http.Request) bool {
	return e.isAuth(r.URL.Path) || r.URL.Path == GraphQLPath || asksForEvents(r)
}

// caller returns whom the request is from and what it is counted for, with
// what is wrong with either. A message to a webhook is anonymous, and counted
// for its address alone: its signature is judged with its body.
func (e *Edge) caller(ctx context.Context, w http.ResponseWriter, r *http.Request, from sites) (v *viewer.Viewer, a *account, over, err error) {
	if e.isWebhook(r) {
		return nil, nil, e.countMessage(ctx, w, r), nil
	}
	v, err = e.identity(ctx, w, r, from)
	a, over = e.count(ctx, w, r, v)
	return v, a, over, err
}

// isWebhook reports whether the request is what a provider sends.
func (e *Edge) isWebhook(r *http.Request) bool {
	return e.Webhook && r.Method == http.MethodPost && IsWebhook(e.Service, r.URL.Path)
}

// identity returns whom the request is from, nil for an anonymous one, unless another
// site has made a browser send it, its headers are too large or the
// credentials are no good.
func (e *Edge) identity(ctx context.Context, w http.ResponseWriter, r *http.Request, from sites) (*viewer.Viewer, error) {
	if err := judgeHead(r); err != nil {
		return nil, err
	}
	if e.mayTouchCookies(r) {
		if err := from.Check(r); err != nil {
			return nil, problem.Wrap(err, problem.Forbidden, "the request comes from another site")
		}
	}
	if IsWebSocket(r) {
		if err := checkSite(from, r); err != nil {
			return nil, problem.Wrap(err, problem.Forbidden, "the connection comes from another site")
		}
	}
	if e.asksSimply(r) {
		if err := checkSite(from, r); err != nil {
			return nil, problem.Wrap(err, problem.Forbidden, "the request comes from another site: it needs a preflight")
		}
	}
	v, err := e.viewer(ctx, w, r)
	if err != nil && e.isEntrance(r.URL.Path) && ended(r, err) {
		return nil, nil
	}
	return v, err
}

// checkSite refuses a request that a page of another site makes, also one that
// is taken to be safe: browsers let any page open a WebSocket, and read what it
// answers.
func checkSite(from sites, r *http.Request) error {
	asked := &http.Request{Method: http.MethodPost, Header: r.Header, Host: r.Host, URL: r.URL} // a GET is taken to be safe
	return from.Check(asked)
}

// ended reports whether a credential is no good any more, which is no reason
// to stay outside: a client sends the token that has just expired with what
// gets it another, and a browser its cookies, whatever they hold. One that
// never was any good is a mistake of the client, or a forgery, here as well.
func ended(r *http.Request, err error) bool {
	if r.Header["Authorization"] == nil && r.Header["X-Api-Key"] == nil {
		return Unauthenticated(err)
	}
	return problem.KindOf(err) == problem.TokenExpired || errors.Is(err, viewer.ErrEnded)
}

// viewer returns whom the request is from, nil without credentials.
func (e *Edge) viewer(ctx context.Context, w http.ResponseWriter, r *http.Request) (*viewer.Viewer, error) {
	if values, ok := r.Header["Authorization"]; ok {
		token, err := bearer(values)
		if err != nil {
			return nil, err
		}
		return e.Auth.Token(ctx, token)
	}
	if values, ok := r.Header["X-Api-Key"]; ok {
		if len(values) != 1 {
			return nil, problem.New(problem.TokenInvalid, "one API key is needed, not %d", len(values))
		}
		return e.Auth.APIKey(ctx, values[0])
	}
	if len(r.Header["Cookie"]) == 0 || followsLink(r) {
		return nil, nil
	}
	return e.cookieViewer(ctx, w, r)
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

// Unauthenticated reports whether err says that a credential is missing, wrong or
// expired, and not that it could not be verified.
func Unauthenticated(err error) bool {
	switch problem.KindOf(err) {
	case problem.Unauthenticated, problem.TokenInvalid, problem.TokenExpired:
		return true
	}
	return false
}
