package signin

import (
	"context"
	"errors"
	"time"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/graph/execute"
	"github.com/entwine-go/entwine/kit/graph/wire"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/web"
)

// payload is SignInPayload.
type payload struct {
	Requires2FA  bool         `json:"requires2FA"`
	AccessToken  *string      `json:"accessToken"`
	ExpiresIn    *int         `json:"expiresIn"`
	RefreshToken *string      `json:"refreshToken"`
	User         *execute.Row `json:"user"`
}

// withRefreshToken is the argument that asks for the token in the answer.
const withRefreshToken = "withRefreshToken"

func (a *API) register(ctx context.Context, in arguments) (any, error) {
	keeps := in[withRefreshToken] == true
	if err := carriable(ctx, account.ModeBearer, keeps); err != nil {
		return nil, err
	}
	who, err := a.Accounts.Registrar.Register(ctx, account.Registration{
		Name: in.text("name"), Email: in.text("email"), Password: in.text("password"),
	}, web.ClientOf(ctx).Address)
	if err != nil {
		return nil, err
	}
	grant, err := a.Accounts.Gate.Admit(ctx, who, account.ModeBearer, origin(ctx))
	if errors.Is(err, account.ErrUnverified) {
		user := a.shownTo(ctx, who)
		return payload{User: &user}, nil
	}
	return a.signedIn(ctx, grant, err, keeps)
}

func (a *API) login(ctx context.Context, in arguments) (any, error) {
	keeps := in[withRefreshToken] == true
	if err := carriable(ctx, in.mode(), keeps); err != nil {
		return nil, err
	}
	grant, err := a.Accounts.Authenticator.Login(ctx, account.Login{
		Email: in.text("email"), Password: in.text("password"), Code: in.text("totpToken"), Mode: in.mode(), From: origin(ctx),
	})
	return a.signedIn(ctx, grant, err, keeps)
}

func (a *API) exchangeExternalLogin(ctx context.Context, in arguments) (any, error) {
	keeps := in[withRefreshToken] == true
	if err := carriable(ctx, in.mode(), keeps); err != nil {
		return nil, err
	}
	grant, err := a.Accounts.Federator.Exchange(ctx, account.Handover{
		Code: in.text("code"), OneTime: in.text("totpToken"), Mode: in.mode(), From: origin(ctx),
	})
	return a.signedIn(ctx, grant, err, keeps)
}

// carriable refuses a sign-in whose proof the client could not be given,
// before there is a session.
func carriable(ctx context.Context, mode account.Mode, keeps bool) error {
	switch {
	case keeps && mode != account.ModeBearer:
		return problem.Inputs(problem.Rulef(withRefreshToken, true, "must be false: only the mode bearer has a refresh token"))
	case !keeps && wire.ExchangeOf(ctx) == nil:
		return problem.Inputs(problem.Rulef(withRefreshToken, false, "must be true: this connection takes no cookies"))
	}
	return nil
}

// refresh exchanges a refresh token. A successor goes where the token came from:
// scripts of a page never get a token of a cookie.
func (a *API) refresh(ctx context.Context, in arguments) (any, error) {
	if in["refreshToken"] != nil {
		grant, err := a.Accounts.Gate.Refresh(ctx, in.text("refreshToken"))
		return a.signedIn(ctx, grant, err, true)
	}
	cookie := cookieOf(ctx, web.RefreshCookie)
	grant, err := a.Accounts.Gate.Refresh(ctx, cookie)
	if cookie != "" && web.Unauthenticated(err) {
		a.clearCookies(ctx, web.RefreshCookie)
	}
	return a.signedIn(ctx, grant, err, false)
}

// signedIn answers with the grant of a user who has signed in, or asks for the
// one-time code. The user is read on their own behalf.
func (a *API) signedIn(ctx context.Context, grant *account.Grant, err error, keeps bool) (any, error) {
	if errors.Is(err, account.ErrCodeNeeded) {
		return payload{Requires2FA: true}, nil
	}
	if err != nil {
		return nil, err
	}
	user := a.shownTo(ctx, grant.User)
	p := payload{User: &user}
	if device := grant.Device; device.Text != "" {
		addCookie(ctx, web.Cookie(web.DeviceCookie, device.Text, device.Expires, a.SecureCookies))
	}
	if grant.Mode == account.ModeBearer {
		lifetime := int(a.Accounts.Gate.Issuer.Lifetime / time.Second)
		p.AccessToken, p.ExpiresIn = &grant.Access.Text, &lifetime
	}
	if keeps {
		p.RefreshToken = &grant.Refresh.Text
		return p, nil
	}
	a.setCookie(ctx, grant)
	return p, nil
}

func (a *API) logout(ctx context.Context, in arguments) (any, error) {
	refresh := cookieOf(ctx, web.RefreshCookie)
	if in["refreshToken"] != nil {
		refresh = in.text("refreshToken")
	}
	if err := a.Accounts.Gate.SignOut(ctx, refresh); err != nil {
		return nil, err
	}
	a.clearCookies(ctx, web.RefreshCookie, web.TokenCookie, web.SessionCookie)
	return true, nil
}
