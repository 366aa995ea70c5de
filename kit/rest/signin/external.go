package signin

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/url"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/web"
)

// beginExternalLogin sends the browser to the identity provider: GET /auth/idp.
func (a *API) beginExternalLogin(ctx context.Context, w http.ResponseWriter) error {
	out, err := a.Accounts.Federator.Begin(ctx, parameter(ctx, "return_to"))
	if err != nil {
		return err
	}
	a.setCookie(ctx, web.ProviderCookie, out.Browser)
	return redirect(w, out.URL)
}

// completeExternalLogin takes the browser back and sends it on to the front
// end, signed in or not: GET /auth/idp/callback. A person at a browser can do
// nothing with an error in JSON.
func (a *API) completeExternalLogin(ctx context.Context, w http.ResponseWriter) error {
	back := account.Callback{
		State: parameter(ctx, "state"), Code: parameter(ctx, "code"), Issuer: parameter(ctx, "iss"), Error: parameter(ctx, "error"),
		Browser: cookie(ctx, web.ProviderCookie),
	}
	in, err := a.Accounts.Federator.Return(ctx, back, origin(ctx))
	if in == nil {
		return err
	}
	if err != nil {
		return sendTo(w, in.ReturnTo, a.refusal(ctx, err))
	}
	a.clearCookies(ctx, web.ProviderCookie)
	if in.Grant == nil {
		return sendTo(w, in.ReturnTo, url.Values{"code": {in.Code}})
	}
	a.setCookies(ctx, in.Grant)
	return sendTo(w, in.ReturnTo, url.Values{"token": {in.Grant.Access.Text}})
}

// sendTo sends the browser to an address, which may have parameters already.
func sendTo(w http.ResponseWriter, address string, more url.Values) error {
	u, err := url.Parse(address)
	if err != nil {
		return fmt.Errorf("read front end's address: %w", err)
	}
	q := u.Query()
	maps.Copy(q, more)
	u.RawQuery = q.Encode()
	return redirect(w, u.String())
}

func redirect(w http.ResponseWriter, address string) error {
	w.Header().Set("Location", address)
	w.WriteHeader(http.StatusFound)
	return nil
}

// refusals are the errors that the front end gets for a failed sign-in: OAuth's
// codes (RFC 6749, section 4.1.2.1), and one for what it does not know.
var refusals = map[problem.Kind]string{
	problem.Invalid:            "invalid_request",
	problem.InvalidCredentials: "access_denied",
	problem.Forbidden:          "access_denied",
	problem.RateLimited:        "temporarily_unavailable",
	problem.Duplicate:          "account_exists",
	problem.GatewayTimeout:     "temporarily_unavailable",
	problem.Unavailable:        "temporarily_unavailable",
}

// refusal returns the parameters that say why a sign-in failed. It ends the
// error, so it logs it.
func (a *API) refusal(ctx context.Context, err error) url.Values {
	code, level, message := refusals[problem.KindOf(err)], slog.LevelInfo, "an internal error occurred"
	if code == "" {
		code, level = "server_error", slog.LevelError
	}
	if p := problem.As(err); p != nil && p.Kind != problem.Internal {
		message = p.Message
	}
	a.Log.Log(ctx, level, "sign-in by the identity provider failed", "err", err)
	return url.Values{"error": {code}, "error_description": {message}}
}

type handover struct {
	Code      string `json:"code"`
	TotpToken string `json:"totpToken"`
}

// exchangeExternalLogin signs in the user whom a front end's code stands for:
// POST /auth/idp/exchange.
func (a *API) exchangeExternalLogin(ctx context.Context, in handover) (any, error) {
	grant, err := a.Accounts.Federator.Exchange(ctx, account.Handover{Code: in.Code, OneTime: in.TotpToken, Mode: mode(ctx), From: origin(ctx)})
	return a.signedIn(ctx, grant, err)
}
