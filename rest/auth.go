package rest

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/runtime/resource/door"
	"github.com/entwine-go/entwine/kit/runtime/web"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/rest/crud"
	"github.com/entwine-go/entwine/rest/oas/server"
)

// success is the status in bodies without data (doc/api/rest.md).
const success = "success"

// envelope is the body of a success.
type envelope struct {
	Status string `json:"status"`
	Data   any    `json:"data"`
}

// authGuards are the guards of the operations in auth.yaml.
var authGuards = map[string]door.Guard{
	"readMe":             signedIn,
	"readTwoFactor":      signedIn,
	"setupTwoFactor":     signedIn,
	"verifyTwoFactor":    signedIn,
	"disableTwoFactor":   signedIn,
	"renewRecoveryCodes": signedIn,
	"listSessions":       signedIn,
	"endSession":         signedIn,
	"endOtherSessions":   signedIn,
	"changePassword":     signedIn,
}

// Register signs a user up, and in: POST /auth/register.
func (o *operations) Register(ctx context.Context, req *server.Registration) (*server.Registered, error) {
	who, err := o.Accounts.Registrar.Register(ctx, account.Registration{Name: req.Name, Email: req.Email, Password: req.Password}, web.ClientOf(ctx).Address)
	if err != nil {
		return nil, err
	}
	answer := &server.Registered{
		Status:  success,
		Message: "welcome, " + who.Name,
		User:    server.RegisteredUser{ID: who.ID, Name: who.Name, Email: who.Email},
	}
	grant, err := o.Accounts.Gate.Admit(ctx, who, account.ModeBearer, origin(ctx))
	switch {
	case errors.Is(err, account.ErrUnverified):
		answer.Message += ": a message is on its way to you, with which you verify your e-mail address before you sign in"
	case err != nil:
		return nil, err
	default:
		o.setCookies(ctx, grant)
		answer.Token = server.NewOptString(grant.Access.Text)
	}
	x := door.From(ctx)
	x.Header.Set("Location", x.Base+"/users/"+x.Version.IDs.Segment(entity.User.Name, who.ID))
	return answer, nil
}

// Login signs a user in: POST /auth/login.
func (o *operations) Login(ctx context.Context, req *server.Login, params server.LoginParams) (*server.SignedIn, error) {
	grant, err := o.Accounts.Authenticator.Login(ctx, account.Login{
		Email: req.Email, Password: req.Password, Code: req.TotpToken.Or(""),
		Mode: account.Mode(params.Mode.Or(server.LoginModeBearer)), From: origin(ctx),
	})
	if err == nil && grant.Mode != account.ModeBearer {
		err = o.leave(ctx)
	}
	return o.signedIn(ctx, grant, err)
}

// leave ends the sign-in whose cookie the browser has sent, and which it is
// about to forget: no request could end it any more.
func (o *operations) leave(ctx context.Context) error {
	r := door.From(ctx).Request
	if r.Header["Authorization"] != nil || r.Header["X-Api-Key"] != nil || viewer.From(ctx).SessionID == "" {
		return nil
	}
	return o.Accounts.Gate.SignOut(ctx, "")
}

// signedIn answers with what a user has who has signed in, or asks for the
// one-time code.
func (o *operations) signedIn(ctx context.Context, grant *account.Grant, err error) (*server.SignedIn, error) {
	if errors.Is(err, account.ErrCodeNeeded) {
		return &server.SignedIn{
			Status:      success,
			Message:     server.NewOptString("two-factor code required"),
			Requires2FA: server.NewOptBool(true),
		}, nil
	}
	if err != nil {
		return nil, err
	}
	o.setCookies(ctx, grant)
	answer := &server.SignedIn{
		Status: success,
		User:   server.NewOptSignedInUser(server.SignedInUser{ID: grant.User.ID, Name: grant.User.Name}),
	}
	if grant.Mode != account.ModeBearer {
		answer.Message = server.NewOptString("signed in")
		return answer, nil
	}
	answer.Token = server.NewOptString(grant.Access.Text)
	answer.AccessToken = server.NewOptString(grant.Access.Text)
	answer.ExpiresIn = server.NewOptInt(o.lifetime())
	return answer, nil
}

// Refresh exchanges the refresh token in the cookie: POST /auth/refresh. A
// token that is no good is taken away.
func (o *operations) Refresh(ctx context.Context, params server.RefreshParams) (*server.Refreshed, error) {
	grant, err := o.Accounts.Gate.Refresh(ctx, params.RefreshToken.Or(""))
	if err != nil {
		if params.RefreshToken.IsSet() && web.Unauthenticated(err) {
			o.clearCookies(ctx, web.RefreshCookie)
		}
		return nil, err
	}
	o.setCookies(ctx, grant)
	return &server.Refreshed{Status: success, AccessToken: grant.Access.Text, ExpiresIn: o.lifetime()}, nil
}

// Logout ends the sign-in: POST /auth/logout.
func (o *operations) Logout(ctx context.Context) (*server.Message, error) {
	refresh := ""
	if cookie, err := door.From(ctx).Request.Cookie(web.RefreshCookie); err == nil {
		refresh = cookie.Value
	}
	if err := o.Accounts.Gate.SignOut(ctx, refresh); err != nil {
		return nil, err
	}
	o.clearCookies(ctx, web.RefreshCookie, web.TokenCookie, web.SessionCookie)
	return said("signed out"), nil
}

// ReadMe answers with the user who asks: GET /auth/me.
func (o *operations) ReadMe(ctx context.Context, w http.ResponseWriter) error {
	return o.door.Read(ctx, w, crud.UserResource, reading.ByID(entity.User, viewer.From(ctx).UserID))
}

// setCookies gives the browser what a grant holds for it, and takes away what
// would have its requests go on in the name of another user.
func (o *operations) setCookies(ctx context.Context, grant *account.Grant) {
	set := func(name string, token account.Token) {
		door.From(ctx).Header.Add("Set-Cookie", web.Cookie(name, token.Text, token.Expires, o.SecureCookies).String())
	}
	switch grant.Mode {
	case account.ModeBearer:
		set(web.RefreshCookie, grant.Refresh)
	case account.ModeCookie:
		set(web.TokenCookie, grant.Access)
		o.clearCookies(ctx, web.SessionCookie)
	case account.ModeSession:
		set(web.SessionCookie, grant.Session)
		o.clearCookies(ctx, web.TokenCookie)
	}
}

func (o *operations) clearCookies(ctx context.Context, names ...string) {
	for _, name := range names {
		door.From(ctx).Header.Add("Set-Cookie", web.NoCookie(name, o.SecureCookies).String())
	}
}

// origin is where the request is from.
func origin(ctx context.Context) account.Origin {
	c := web.ClientOf(ctx)
	return account.Origin{Agent: c.Agent, Address: c.Address}
}

func said(text string) *server.Message { return &server.Message{Status: success, Message: text} }

// lifetime is for how many seconds an access token is good.
func (o *operations) lifetime() int { return int(o.Accounts.Gate.Issuer.Lifetime / time.Second) }
