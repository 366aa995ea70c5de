package rest

import (
	"context"
	"fmt"
	"net/url"

	"github.com/entwine-go/entwine/internal/account"
	"github.com/entwine-go/entwine/internal/web"
	"github.com/entwine-go/entwine/rest/door"
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
// end: GET /auth/idp/callback.
func (o *operations) CompleteExternalLogin(ctx context.Context, params server.CompleteExternalLoginParams) (*server.CompleteExternalLoginFound, error) {
	back := account.Callback{
		State: params.State.Or(""), Code: params.Code.Or(""), Issuer: params.Iss.Or(""), Error: params.Error.Or(""),
	}
	if cookie, err := door.From(ctx).Request.Cookie(web.ProviderCookie); err == nil {
		back.Browser = cookie.Value
	}
	in, err := o.Accounts.Federator.Return(ctx, back, origin(ctx))
	if err != nil {
		return nil, err
	}
	o.clearCookies(ctx, web.ProviderCookie)
	name, value := "code", in.Code
	if in.Grant != nil {
		o.setCookies(ctx, in.Grant)
		name, value = "token", in.Grant.Access.Text
	}
	to, err := withParameter(in.ReturnTo, name, value)
	if err != nil {
		return nil, err
	}
	return &server.CompleteExternalLoginFound{Location: to}, nil
}

// withParameter adds a parameter to an address, which may have others.
func withParameter(address, name, value string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", fmt.Errorf("read front end's address: %w", err)
	}
	q := u.Query()
	q.Set(name, value)
	u.RawQuery = q.Encode()
	return u.String(), nil
}

// ExchangeExternalLogin signs in whom a front end's code stands for: POST /auth/idp/exchange.
func (o *operations) ExchangeExternalLogin(ctx context.Context, req *server.ExchangeExternalLoginReq, params server.ExchangeExternalLoginParams) (*server.SignedIn, error) {
	grant, err := o.Accounts.Federator.Exchange(ctx, account.Handover{
		Code: req.Code, OneTime: req.TotpToken.Or(""),
		Mode: account.Mode(params.Mode.Or(server.ExchangeExternalLoginModeBearer)), From: origin(ctx),
	})
	return o.signedIn(ctx, grant, err)
}
