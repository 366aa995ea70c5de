package signin

import (
	"cmp"
	"context"
	"errors"
	"net/http"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/web"
)

type registration struct {
	Name     string `json:"name"`
	Email    string `json:"email"`
	Password string `json:"password"`
}

type registered struct {
	Status  string         `json:"status"`
	Message string         `json:"message"`
	User    registeredUser `json:"user"`
	Token   string         `json:"token,omitempty"`
}

type registeredUser struct {
	ID    int64  `json:"id"`
	Name  string `json:"name"`
	Email string `json:"email"`
}

// register signs a user up, and in: POST /auth/register.
func (a *API) register(ctx context.Context, in registration) (any, error) {
	who, err := a.Accounts.Registrar.Register(ctx, account.Registration(in), web.ClientOf(ctx).Address)
	if err != nil {
		return nil, err
	}
	answer := registered{Status: success, Message: "welcome, " + who.Name, User: registeredUser{who.ID, who.Name, who.Email}}
	grant, err := a.Accounts.Gate.Admit(ctx, who, account.ModeBearer, origin(ctx))
	switch {
	case errors.Is(err, account.ErrUnverified):
		answer.Message += ": a message is on its way to you, with which you verify your e-mail address before you sign in"
	case err != nil:
		return nil, err
	default:
		a.setCookies(ctx, grant)
		answer.Token = grant.Access.Text
	}
	x := handler.From(ctx)
	x.Header.Set("Location", x.Base+"/"+a.Users.Path+"/"+x.Version.IDs.Segment(a.Users.Name, gid.Int(who.ID)))
	return answer, nil
}

type login struct {
	Email     string `json:"email"`
	Password  string `json:"password"`
	TotpToken string `json:"totpToken"`
}

// login signs a user in: POST /auth/login.
func (a *API) login(ctx context.Context, in login) (any, error) {
	grant, err := a.Accounts.Authenticator.Login(ctx, account.Login{
		Email: in.Email, Password: in.Password, Code: in.TotpToken, Mode: mode(ctx), From: origin(ctx),
	})
	if err == nil && grant.Mode != account.ModeBearer {
		err = a.leave(ctx)
	}
	return a.signedIn(ctx, grant, err)
}

// mode is how the sign-in is carried.
func mode(ctx context.Context) account.Mode {
	return cmp.Or(account.Mode(parameter(ctx, "mode")), account.ModeBearer)
}

// leave ends the sign-in whose cookie the browser has sent, and which it is
// about to forget: no request could end it any more.
func (a *API) leave(ctx context.Context) error {
	r := handler.From(ctx).Request
	if r.Header["Authorization"] != nil || r.Header["X-Api-Key"] != nil || viewer.From(ctx).SessionID == "" {
		return nil
	}
	return a.Accounts.Gate.SignOut(ctx, "")
}

type signedIn struct {
	Status      string        `json:"status"`
	Message     string        `json:"message,omitempty"`
	Token       string        `json:"token,omitempty"`
	AccessToken string        `json:"accessToken,omitempty"`
	ExpiresIn   int           `json:"expiresIn,omitempty"`
	User        *signedInUser `json:"user,omitempty"`
	Requires2FA bool          `json:"requires2FA,omitempty"`
}

type signedInUser struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// signedIn answers with what a user has who has signed in, or asks for the
// one-time code.
func (a *API) signedIn(ctx context.Context, grant *account.Grant, err error) (any, error) {
	if errors.Is(err, account.ErrCodeNeeded) {
		return signedIn{Status: success, Message: "two-factor code required", Requires2FA: true}, nil
	}
	if err != nil {
		return nil, err
	}
	a.setCookies(ctx, grant)
	answer := signedIn{Status: success, User: &signedInUser{grant.User.ID, grant.User.Name}}
	if grant.Mode != account.ModeBearer {
		answer.Message = "signed in"
		return answer, nil
	}
	answer.Token, answer.AccessToken, answer.ExpiresIn = grant.Access.Text, grant.Access.Text, a.lifetime()
	return answer, nil
}

type refreshed struct {
	Status      string `json:"status"`
	AccessToken string `json:"accessToken"`
	ExpiresIn   int    `json:"expiresIn"`
}

// refresh exchanges the refresh token in the cookie: POST /auth/refresh. A
// token that is no good is taken away.
func (a *API) refresh(ctx context.Context, _ none) (any, error) {
	token := cookie(ctx, web.RefreshCookie)
	grant, err := a.Accounts.Gate.Refresh(ctx, token)
	if err != nil {
		if token != "" && web.Unauthenticated(err) {
			a.clearCookies(ctx, web.RefreshCookie)
		}
		return nil, err
	}
	a.setCookies(ctx, grant)
	return refreshed{success, grant.Access.Text, a.lifetime()}, nil
}

// logout ends the sign-in: POST /auth/logout.
func (a *API) logout(ctx context.Context, _ none) (any, error) {
	if err := a.Accounts.Gate.SignOut(ctx, cookie(ctx, web.RefreshCookie)); err != nil {
		return nil, err
	}
	a.clearCookies(ctx, web.RefreshCookie, web.TokenCookie, web.SessionCookie)
	return said("signed out", nil)
}

// readMe answers with the user who asks: GET /auth/me.
func (a *API) readMe(ctx context.Context, w http.ResponseWriter) error {
	return a.Door.Read(ctx, w, a.Users, read.ByID(a.Users.Entity, gid.Int(viewer.From(ctx).UserID)))
}
