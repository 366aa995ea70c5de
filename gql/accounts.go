package gql

import (
	"context"
	"errors"
	"time"

	"github.com/entwine-go/entwine/gql/generated"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/gid"
	"github.com/entwine-go/entwine/kit/runtime/graph/execute"
	"github.com/entwine-go/entwine/kit/runtime/graph/wire"
	"github.com/entwine-go/entwine/kit/runtime/web"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Register resolves register.
func (r *resolver) Register(ctx context.Context, name, email, password string, withRefreshToken bool) (*generated.SignInPayload, error) {
	if err := carriable(ctx, account.ModeBearer, withRefreshToken); err != nil {
		return nil, err
	}
	who, err := r.Accounts.Registrar.Register(ctx, account.Registration{Name: name, Email: email, Password: password}, web.ClientOf(ctx).Address)
	if err != nil {
		return nil, err
	}
	grant, err := r.Accounts.Gate.Admit(ctx, who, account.ModeBearer, origin(ctx))
	if errors.Is(err, account.ErrUnverified) {
		return &generated.SignInPayload{User: shownTo(ctx, who)}, nil
	}
	return r.signedIn(ctx, grant, err, withRefreshToken)
}

// shownTo is a user who is answered as they see themselves.
func shownTo(ctx context.Context, who *account.User) *generated.User {
	execute.AnswerTo(ctx, &viewer.Viewer{UserID: who.ID, Role: who.Role})
	return &generated.User{ID: gid.Encode(entity.User.Name, who.ID)}
}

// Login resolves login.
func (r *resolver) Login(ctx context.Context, email, password string, code *string, mode generated.SignInMode, withRefreshToken bool) (*generated.SignInPayload, error) {
	in := account.Login{Email: email, Password: password, Code: optional(code), Mode: modeOf(mode), From: origin(ctx)}
	if err := carriable(ctx, in.Mode, withRefreshToken); err != nil {
		return nil, err
	}
	grant, err := r.Accounts.Authenticator.Login(ctx, in)
	return r.signedIn(ctx, grant, err, withRefreshToken)
}

// ExchangeExternalLogin resolves exchangeExternalLogin.
func (r *resolver) ExchangeExternalLogin(ctx context.Context, code string, oneTime *string, mode generated.SignInMode, withRefreshToken bool) (*generated.SignInPayload, error) {
	in := account.Handover{Code: code, OneTime: optional(oneTime), Mode: modeOf(mode), From: origin(ctx)}
	if err := carriable(ctx, in.Mode, withRefreshToken); err != nil {
		return nil, err
	}
	grant, err := r.Accounts.Federator.Exchange(ctx, in)
	return r.signedIn(ctx, grant, err, withRefreshToken)
}

// Refresh resolves refresh. A successor goes where the token came from: what
// is in a cookie never gets into the hands of a page's scripts.
func (r *resolver) Refresh(ctx context.Context, token *string) (*generated.SignInPayload, error) {
	if token != nil {
		grant, err := r.Accounts.Gate.Refresh(ctx, *token)
		return r.signedIn(ctx, grant, err, true)
	}
	cookie := cookieOf(ctx, web.RefreshCookie)
	grant, err := r.Accounts.Gate.Refresh(ctx, cookie)
	if cookie != "" && web.Unauthenticated(err) {
		r.clearCookies(ctx, web.RefreshCookie)
	}
	return r.signedIn(ctx, grant, err, false)
}

// signedIn answers with the grant of a user who has signed in, or asks for the
// one-time code. The user is read on their own behalf.
func (r *resolver) signedIn(ctx context.Context, grant *account.Grant, err error, withRefreshToken bool) (*generated.SignInPayload, error) {
	if errors.Is(err, account.ErrCodeNeeded) {
		return &generated.SignInPayload{Requires2fa: true}, nil
	}
	if err != nil {
		return nil, err
	}
	payload := &generated.SignInPayload{User: shownTo(ctx, grant.User)}
	if grant.Mode == account.ModeBearer {
		lifetime := int(r.Accounts.Gate.Issuer.Lifetime / time.Second)
		payload.AccessToken, payload.ExpiresIn = &grant.Access.Text, &lifetime
	}
	if withRefreshToken {
		payload.RefreshToken = &grant.Refresh.Text
		return payload, nil
	}
	r.setCookie(ctx, grant)
	return payload, nil
}

// Logout resolves logout.
func (r *resolver) Logout(ctx context.Context, token *string) (*bool, error) {
	refresh := cookieOf(ctx, web.RefreshCookie)
	if token != nil {
		refresh = *token
	}
	if err := r.Accounts.Gate.SignOut(ctx, refresh); err != nil {
		return nil, err
	}
	r.clearCookies(ctx, web.RefreshCookie, web.TokenCookie, web.SessionCookie)
	return done(nil)
}

// ForgotPassword resolves forgotPassword.
func (r *resolver) ForgotPassword(ctx context.Context, email string) (*bool, error) {
	return done(r.Accounts.Resetter.Forgot(ctx, email))
}

// ResetPassword resolves resetPassword.
func (r *resolver) ResetPassword(ctx context.Context, token, password string) (*bool, error) {
	return done(r.Accounts.Resetter.Reset(ctx, token, password))
}

// Sessions resolves sessions.
func (q *queries) Sessions(ctx context.Context) ([]*generated.ActiveSession, error) {
	all, err := q.Accounts.Gate.List(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]*generated.ActiveSession, len(all))
	for i, s := range all {
		list[i] = &generated.ActiveSession{
			ID: s.ID, Mode: generated.SignInMode(s.Mode), UserAgent: s.Agent, Address: s.Address,
			CreatedAt: s.Created.UTC(), ExpiresAt: s.Expires.UTC(), Current: s.Current,
		}
	}
	return list, nil
}

// EndSession resolves endSession.
func (r *resolver) EndSession(ctx context.Context, id string) (*bool, error) {
	return done(r.Accounts.Gate.End(ctx, id))
}

// EndOtherSessions resolves endOtherSessions.
func (r *resolver) EndOtherSessions(ctx context.Context) (*bool, error) {
	return done(r.Accounts.Gate.EndOthers(ctx))
}

// done is the answer of an operation that has no other.
func done(err error) (*bool, error) {
	if err != nil {
		return nil, err
	}
	yes := true
	return &yes, nil
}

func modeOf(mode generated.SignInMode) account.Mode {
	return account.Mode(mode)
}

// origin is where the request is from.
func origin(ctx context.Context) account.Origin {
	c := web.ClientOf(ctx)
	return account.Origin{Agent: c.Agent, Address: c.Address}
}

// carriable refuses a sign-in whose proof the client could not be given,
// before there is a session.
func carriable(ctx context.Context, mode account.Mode, withRefreshToken bool) error {
	switch {
	case withRefreshToken && mode != account.ModeBearer:
		return problem.Inputs(problem.Rulef("withRefreshToken", true, "must be false: only the mode bearer has a refresh token"))
	case !withRefreshToken && wire.ExchangeOf(ctx) == nil:
		return problem.Inputs(problem.Rulef("withRefreshToken", false, "must be true: this connection takes no cookies"))
	}
	return nil
}

// optional is a text that may be absent.
func optional(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
