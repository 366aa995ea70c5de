// Package signin answers REST's operations of accounts: signing up, in and out,
// second factors, addresses, and one's sign-ins. The generator adds their
// description to the document of a schema that has the tables of accounts.
//
// Package account carries the operations out. This package owns how credentials
// travel: in bodies, cookies and redirects.
package signin

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"time"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/web"
)

// API answers the operations. All fields but SecureCookies are required.
type API struct {
	Log      *slog.Logger
	Accounts *account.Accounts
	// Door reads the caller, one of the Users.
	Door  *handler.Door
	Users *handler.Resource
	// SecureCookies keeps every cookie from connections without TLS.
	SecureCookies bool
}

// Handlers returns the handlers by operationId. They speak the first version.
func (a *API) Handlers() map[string]handler.Handler {
	return map[string]handler.Handler{
		"register":              handle(http.StatusCreated, a.register),
		"login":                 handle(http.StatusOK, a.login),
		"logout":                handle(http.StatusOK, a.logout),
		"refresh":               handle(http.StatusOK, a.refresh),
		"readMe":                a.readMe,
		"forgotPassword":        handle(http.StatusOK, a.forgotPassword),
		"resetPassword":         handle(http.StatusOK, a.resetPassword),
		"changePassword":        handle(http.StatusOK, a.changePassword),
		"verifyEmail":           handle(http.StatusOK, a.verifyEmail),
		"resendVerification":    handle(http.StatusOK, a.resendVerification),
		"takeBackEmail":         handle(http.StatusOK, a.takeBackEmail),
		"readTwoFactor":         handle(http.StatusOK, a.readTwoFactor),
		"setupTwoFactor":        handle(http.StatusOK, a.setupTwoFactor),
		"verifyTwoFactor":       handle(http.StatusOK, a.verifyTwoFactor),
		"disableTwoFactor":      handle(http.StatusOK, a.disableTwoFactor),
		"renewRecoveryCodes":    handle(http.StatusOK, a.renewRecoveryCodes),
		"listSessions":          handle(http.StatusOK, a.listSessions),
		"seeAs":                 handle(http.StatusCreated, a.seeAs),
		"endSession":            a.endSession,
		"endOtherSessions":      a.endOtherSessions,
		"beginExternalLogin":    a.beginExternalLogin,
		"completeExternalLogin": a.completeExternalLogin,
		"exchangeExternalLogin": handle(http.StatusOK, a.exchangeExternalLogin),
	}
}

// Guards are the operations' conditions on the caller, which are checked before
// the input. Those without one are open to every caller.
func Guards() map[string]handler.Guard {
	users := policy.SignedIn()
	all := map[string]handler.Guard{}
	for _, id := range []string{
		"readMe", "readTwoFactor", "setupTwoFactor", "verifyTwoFactor", "disableTwoFactor", "renewRecoveryCodes",
		"listSessions", "endSession", "endOtherSessions", "changePassword",
	} {
		all[id] = handler.Guard{Rule: &users}
	}
	admins := policy.Roles(viewer.Admin)
	all["seeAs"] = handler.Guard{Rule: &admins}
	return all
}

// none is the input of operations without a body.
type none struct{}

// handle returns the handler of an operation that takes In, which the document
// has judged, and answers with JSON.
func handle[In any](status int, do func(ctx context.Context, in In) (any, error)) handler.Handler {
	return func(ctx context.Context, w http.ResponseWriter) error {
		var in In
		if body := handler.From(ctx).Body; len(body) > 0 {
			if err := json.Unmarshal(body, &in); err != nil {
				return problem.Wrap(err, problem.Invalid, "the body is not what is expected here")
			}
		}
		out, err := do(ctx, in)
		if err != nil {
			return err
		}
		var body bytes.Buffer
		e := json.NewEncoder(&body)
		e.SetEscapeHTML(false)
		if err := e.Encode(out); err != nil {
			return err
		}
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.WriteHeader(status)
		_, _ = w.Write(bytes.TrimSuffix(body.Bytes(), []byte("\n"))) // the client may be gone
		return nil
	}
}

// message is an answer for people.
type message struct {
	Status  string `json:"status"`
	Message string `json:"message"`
}

// success is the status in bodies (doc/api/rest.md).
const success = "success"

func said(text string, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return message{success, text}, nil
}

// setCookies gives the browser what a grant holds for it, and takes away what
// would have its requests go on in the name of another user.
func (a *API) setCookies(ctx context.Context, grant *account.Grant) {
	if grant.Device.Text != "" {
		a.setCookie(ctx, web.DeviceCookie, grant.Device)
	}
	switch grant.Mode {
	case account.ModeBearer:
		a.setCookie(ctx, web.RefreshCookie, grant.Refresh)
	case account.ModeCookie:
		a.setCookie(ctx, web.TokenCookie, grant.Access)
		a.clearCookies(ctx, web.SessionCookie)
	case account.ModeSession:
		a.setCookie(ctx, web.SessionCookie, grant.Session)
		a.clearCookies(ctx, web.TokenCookie)
	}
}

func (a *API) setCookie(ctx context.Context, name string, token account.Token) {
	handler.From(ctx).Header.Add("Set-Cookie", web.Cookie(name, token.Text, token.Expires, a.SecureCookies).String())
}

func (a *API) clearCookies(ctx context.Context, names ...string) {
	for _, name := range names {
		handler.From(ctx).Header.Add("Set-Cookie", web.NoCookie(name, a.SecureCookies).String())
	}
}

// cookie is the value of the browser's cookie, empty without one.
func cookie(ctx context.Context, name string) string {
	c, err := handler.From(ctx).Request.Cookie(name)
	if err != nil {
		return ""
	}
	return c.Value
}

// parameter is a parameter of the query.
func parameter(ctx context.Context, name string) string {
	return handler.From(ctx).Request.URL.Query().Get(name)
}

// origin is where the request is from.
func origin(ctx context.Context) account.Origin {
	c := web.ClientOf(ctx)
	return account.Origin{Agent: c.Agent, Address: c.Address, Device: c.Device}
}

// lifetime is for how many seconds an access token is good.
func (a *API) lifetime() int { return int(a.Accounts.Gate.Issuer.Lifetime / time.Second) }
