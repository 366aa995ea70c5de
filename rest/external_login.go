package rest

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net/url"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/resource/door"
	"github.com/entwine-go/entwine/kit/runtime/web"
	"github.com/entwine-go/entwine/rest/oas/server"
)

// BeginExternalLogin sends the browser to the identity provider: GET /auth/idp.
func (o *operations) BeginExternalLogin(ctx context.Context, params server.BeginExternalLoginParams) (*server.BeginExternalLoginFound, error) {
	out, err := o.Accounts.Federator.Begin(ctx, params.ReturnTo.Or(""))
	if err != nil {
		return nil, err
	}
	cookie := web.Cookie(web.ProviderCookie, out.Browser.Text, out.Browser.Expires, o.SecureCookies)
	door.From(ctx).Header.Add("Set-Cookie", cookie.String())
	return &server.BeginExternalLoginFound{Location: out.URL}, nil
}

// CompleteExternalLogin takes the browser back and sends it on to the front
// end, signed in or not: GET /auth/idp/callback. Whoever sits before the
// browser can do nothing with an error in JSON.
func (o *operations) CompleteExternalLogin(ctx context.Context, params server.CompleteExternalLoginParams) (*server.CompleteExternalLoginFound, error) {
	back := account.Callback{
		State: params.State.Or(""), Code: params.Code.Or(""), Issuer: params.Iss.Or(""), Error: params.Error.Or(""),
	}
	if cookie, err := door.From(ctx).Request.Cookie(web.ProviderCookie); err == nil {
		back.Browser = cookie.Value
	}
	in, err := o.Accounts.Federator.Return(ctx, back, origin(ctx))
	if in == nil {
		return nil, err
	}
	if err != nil {
		return sendTo(in.ReturnTo, o.refusal(ctx, err))
	}
	o.clearCookies(ctx, web.ProviderCookie)
	if in.Grant == nil {
		return sendTo(in.ReturnTo, url.Values{"code": {in.Code}})
	}
	o.setCookies(ctx, in.Grant)
	return sendTo(in.ReturnTo, url.Values{"token": {in.Grant.Access.Text}})
}

// sendTo sends the browser to an address, which may have parameters already.
func sendTo(address string, more url.Values) (*server.CompleteExternalLoginFound, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("read front end's address: %w", err)
	}
	q := u.Query()
	maps.Copy(q, more)
	u.RawQuery = q.Encode()
	return &server.CompleteExternalLoginFound{Location: u.String()}, nil
}

// refusals are what the front end is told of a sign-in that failed: OAuth's
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

// refusal returns the parameters that say why nobody has signed in. It ends
// the error, so it logs it.
func (o *operations) refusal(ctx context.Context, err error) url.Values {
	code, level, message := refusals[problem.KindOf(err)], slog.LevelInfo, "an internal error occurred"
	if code == "" {
		code, level = "server_error", slog.LevelError
	}
	if p := problem.As(err); p != nil && p.Kind != problem.Internal {
		message = p.Message
	}
	o.Log.Log(ctx, level, "nobody was signed in by the identity provider", "err", err)
	return url.Values{"error": {code}, "error_description": {message}}
}

// ExchangeExternalLogin signs in whom a front end's code stands for: POST /auth/idp/exchange.
func (o *operations) ExchangeExternalLogin(ctx context.Context, req *server.ExchangeExternalLoginReq, params server.ExchangeExternalLoginParams) (*server.SignedIn, error) {
	grant, err := o.Accounts.Federator.Exchange(ctx, account.Handover{
		Code: req.Code, OneTime: req.TotpToken.Or(""),
		Mode: account.Mode(params.Mode.Or(server.ExchangeExternalLoginModeBearer)), From: origin(ctx),
	})
	return o.signedIn(ctx, grant, err)
}
