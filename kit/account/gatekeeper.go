package account

import (
	"context"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/store"
)

// Gatekeeper begins, continues and ends sign-ins of users who have been
// authenticated.
//
// A sign-in is a row, and every token names its row (sid). So a sign-in that
// is ended takes its tokens with it, whatever they say about their own expiry.
//
//	bearer     a refresh family: a refresh token in a cookie, short access tokens
//	cookie     a session: one access token in a cookie, for a day
//	session    a session: a random secret in a cookie, for a day
type Gatekeeper struct {
	DB     *store.DB // where sign-ins are
	Issuer *Issuer   // issues access tokens
	Vault  *Vault    // makes refresh tokens and secrets of sessions
	// Verified lets in only those who have verified their e-mail address.
	Verified bool
	// Now is the time, time.Now where it is nil.
	Now func() time.Time
}

// Mode is how a client carries the proof of its sign-in.
type Mode string

// The modes.
const (
	ModeBearer  Mode = "bearer"
	ModeCookie  Mode = "cookie"
	ModeSession Mode = "session"
)

// How long a sign-in lasts, counted from its beginning.
const (
	RefreshLife = 7 * 24 * time.Hour
	SessionLife = 24 * time.Hour
)

// Origin is where a sign-in comes from, so that users recognise theirs.
type Origin struct {
	// Agent is the program, as it names itself.
	Agent string
	// Address is the network address.
	Address string
	// Device is the text that the program got when it signed in last ([Grant]), empty
	// where it has none.
	Device string
}

// maxAgent is how much of a program's name is kept.
const maxAgent = 300

func (o Origin) agent() string {
	agent := expose.CleanLine(o.Agent)
	for len(agent) > maxAgent {
		_, size := utf8.DecodeLastRuneInString(agent)
		agent = agent[:len(agent)-size]
	}
	return agent
}

// Grant has the tokens and cookies of a client that has signed in.
type Grant struct {
	User *User // who signed in
	Mode Mode  // decides which of the tokens are there
	// Access is the access token, empty in mode session.
	Access Token
	// Refresh is the refresh token, in mode bearer.
	Refresh Token
	// Session is the secret of the session, in mode session.
	Session Token
	// Device is for the program to keep and to send when it signs in again, so that
	// others' failures do not keep its user out. It is there after a sign-in.
	Device Token
}

// Admit begins a sign-in of the user, whose identity was proven. The error is
// [ErrUnverified] where they have to verify their address first.
func (g *Gatekeeper) Admit(ctx context.Context, u *User, mode Mode, from Origin) (*Grant, error) {
	if g.Verified {
		is, err := verified(ctx, g.DB, u)
		if err != nil {
			return nil, err
		}
		if !is {
			return nil, ErrUnverified
		}
	}
	var grant *Grant
	var err error
	if mode == ModeBearer {
		grant, err = g.beginFamily(ctx, u, from)
	} else {
		grant, err = g.beginSession(ctx, u, mode, from, SessionLife)
	}
	if err != nil {
		return nil, fmt.Errorf("sign in user %d: %w", u.ID, err)
	}
	grant.Device = g.Vault.device(from.Device, u.Email, g.now())
	return grant, nil
}

// Pass returns an access token of the user that is good for a time. It is for
// operators: the user takes no part. It can be ended like any sign-in.
func (g *Gatekeeper) Pass(ctx context.Context, u *User, life time.Duration) (Token, error) {
	grant, err := g.beginSession(ctx, u, ModeCookie, Origin{Agent: "operator"}, life)
	if err != nil {
		return Token{}, fmt.Errorf("issue pass for user %d: %w", u.ID, err)
	}
	return grant.Access, nil
}

func (g *Gatekeeper) now() time.Time {
	if g.Now != nil {
		return store.Time(g.Now())
	}
	return store.Time(time.Now())
}
