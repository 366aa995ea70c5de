// Package signin resolves GraphQL's root fields of accounts: signing up, in and
// out, second factors, addresses, and one's sign-ins. The generator adds them to
// the schema of a service that has the tables of accounts.
//
// Package account carries them out. This package owns how credentials travel: in
// answers and cookies.
package signin

import (
	"context"
	"fmt"
	"net/http"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/graph/execute"
	"github.com/entwine-go/entwine/kit/graph/wire"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/web"
)

// API resolves the fields.
type API struct {
	Accounts *account.Accounts
	// Users are the service's.
	Users *entity.Entity
	// SecureCookies keeps every cookie from connections without TLS.
	SecureCookies bool
}

// hashing is the cost of mutations that hash a password, which anonymous callers
// can ask for: as much as reading the largest page.
const hashing = 500

// Costs are the costs of the fields that do not follow from the schema.
func Costs() map[string]int {
	return map[string]int{
		"Mutation.register": hashing, "Mutation.login": hashing, "Mutation.resetPassword": hashing,
		"Mutation.setupTwoFactor": hashing, "Mutation.disableTwoFactor": hashing, "Mutation.renewRecoveryCodes": hashing,
	}
}

// Writes are the mutations by their names.
func (a *API) Writes() map[string]execute.Write {
	return map[string]execute.Write{
		"register":              resolve(a.register),
		"login":                 resolve(a.login),
		"exchangeExternalLogin": resolve(a.exchangeExternalLogin),
		"refresh":               resolve(a.refresh),
		"logout":                resolve(a.logout),
		"forgotPassword":        resolve(a.forgotPassword),
		"resetPassword":         resolve(a.resetPassword),
		"changePassword":        resolve(a.changePassword),
		"verifyEmail":           resolve(a.verifyEmail),
		"resendVerification":    resolve(a.resendVerification),
		"takeBackEmail":         resolve(a.takeBackEmail),
		"setupTwoFactor":        resolve(a.setupTwoFactor),
		"verifyTwoFactor":       resolve(a.verifyTwoFactor),
		"disableTwoFactor":      resolve(a.disableTwoFactor),
		"renewRecoveryCodes":    resolve(a.renewRecoveryCodes),
		"seeAs":                 resolve(a.seeAs),
		"endSession":            resolve(a.endSession),
		"endOtherSessions":      resolve(a.endOtherSessions),
	}
}

// Reads are the queries by their names.
func (a *API) Reads() map[string]execute.Write {
	return map[string]execute.Write{"sessions": resolve(a.sessions), "twoFactor": resolve(a.twoFactor)}
}

func resolve(do func(ctx context.Context, in arguments) (any, error)) execute.Write {
	return func(ctx context.Context, given map[string]any) (any, error) { return do(ctx, given) }
}

// arguments are those of a field, judged by its types.
type arguments map[string]any

// text is a text, empty where it is absent or null.
func (a arguments) text(name string) string {
	switch v := a[name].(type) {
	case nil:
		return ""
	case string:
		return v
	default: // an ID that was written as a number
		return fmt.Sprint(v)
	}
}

func (a arguments) mode() account.Mode { return account.Mode(a.text("mode")) }

func (a arguments) proof() account.Proof {
	return account.Proof{Password: a.text("password"), Code: a.text("token")}
}

// done is the answer of a field that has no other.
func done(err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return true, nil
}

// shownTo is a user who is answered as they see themselves.
func (a *API) shownTo(ctx context.Context, who *account.User) execute.Row {
	execute.AnswerTo(ctx, &viewer.Viewer{UserID: who.ID, Role: who.Role})
	return execute.Row{Entity: a.Users, ID: gid.Int(who.ID)}
}

// origin is where the request is from.
func origin(ctx context.Context) account.Origin {
	c := web.ClientOf(ctx)
	return account.Origin{Agent: c.Agent, Address: c.Address, Device: c.Device}
}

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
func (a *API) setCookie(ctx context.Context, grant *account.Grant) {
	name, token := web.RefreshCookie, grant.Refresh
	switch grant.Mode {
	case account.ModeCookie:
		name, token = web.TokenCookie, grant.Access
		a.clearCookies(ctx, web.SessionCookie)
	case account.ModeSession:
		name, token = web.SessionCookie, grant.Session
		a.clearCookies(ctx, web.TokenCookie)
	}
	addCookie(ctx, web.Cookie(name, token.Text, token.Expires, a.SecureCookies))
}

func (a *API) clearCookies(ctx context.Context, names ...string) {
	for _, name := range names {
		addCookie(ctx, web.NoCookie(name, a.SecureCookies))
	}
}

// addCookie adds a cookie to the answer. A refresh token stays with the API
// that gave it: the one of REST is sent to /api alone, this one here alone.
func addCookie(ctx context.Context, cookie *http.Cookie) { //nolint:gosec // package web has set what it needs
	x := wire.ExchangeOf(ctx)
	if x == nil {
		return
	}
	if cookie.Name == web.RefreshCookie {
		cookie.Path = web.GraphQLPath
	}
	x.Header.Add("Set-Cookie", cookie.String())
}
