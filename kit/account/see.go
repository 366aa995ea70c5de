package account

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/entwine-go/entwine/kit/fold"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// SeeLife is how long an admin sees as another at most.
const SeeLife = 10 * time.Minute

// Seer gives admins tokens to see as another: to read what a user may, or a user with a
// role. Such a token changes nothing ([viewer.Viewer.MayChange]), and is no way to another.
//
// It has a row of its own among the admin's sign-ins, whose name has that of the sign-in
// by which it was asked for. It ends with either row, with the admin's account or role,
// and with the account that is seen as.
type Seer struct {
	DB     *store.DB   // where users and sign-ins are
	Users  *Table      // the service's
	Issuer *Issuer     // signs the tokens
	Gate   *Gatekeeper // has the clock of sign-ins
	// Log gets a line for each token.
	Log *slog.Logger
}

// Seen has the token with which an admin views the service as another user.
type Seen struct {
	// Token is the access token.
	Token Token
	// Life is for how long it is good.
	Life time.Duration
	// Session is the name by which the admin can end it ([Gatekeeper.End]).
	Session string
	User    *User       // who is seen as, nil for a role
	Role    viewer.Role // the role of the user, or the one that is seen as
}

// whoSees is the rule for viewers that may view the service as another user.
var whoSees = policy.Roles(viewer.Admin)

// CheckSees returns nil where the viewer may see as another. Those whose sign-in is that
// of another issuer may not: it could not be asked whether it goes on.
func CheckSees(v *viewer.Viewer) error {
	if err := v.MayChange(); err != nil {
		return err
	}
	if whoSees.For(v).Never() {
		return policy.Denied(v)
	}
	if v.SessionID == "" || table(v.SessionID) == nil {
		return problem.New(problem.Forbidden, "who sees as another is signed in at this service, not at another issuer of tokens")
	}
	return nil
}

// SeeAs returns a token to see as the user with the e-mail address, or as any user with
// the role where there is no address.
func (s *Seer) SeeAs(ctx context.Context, email string, role viewer.Role, from Origin) (*Seen, error) {
	caller := viewer.From(ctx)
	if err := CheckSees(caller); err != nil {
		return nil, err
	}
	seen, id, err := s.target(ctx, caller, email, role)
	if err != nil {
		return nil, err
	}
	now := s.Gate.now()
	expires := now.Add(SeeLife)
	if !caller.Expires.IsZero() && caller.Expires.Before(expires) {
		expires = caller.Expires
	}
	seen.Life = expires.Sub(now)
	seen.Session = newSID(sessionSID) + within + caller.SessionID
	name := "the role " + string(seen.Role)
	if seen.User != nil {
		name = fmt.Sprintf("user %d", id)
	}
	from.Agent = "sees as " + name
	if _, err := beginSessionText.Exec(ctx, s.DB, seen.Session, string(ModeCookie), caller.UserID, expires, from.agent(), from.Address, nil); err != nil {
		return nil, store.Problem(fmt.Errorf("begin to see as %s: %w", name, err))
	}
	seen.Token, err = s.Issuer.see(caller.UserID, id, seen.Role, seen.Session, expires)
	if err != nil {
		return nil, err
	}
	s.Log.InfoContext(ctx, "an admin sees as another", "user_id", caller.UserID, "as", name, "role", seen.Role, "session", seen.Session, "until", expires)
	return seen, nil
}

// target is the user that an admin views the service as.
func (s *Seer) target(ctx context.Context, caller *viewer.Viewer, email string, role viewer.Role) (*Seen, int64, error) {
	switch {
	case (email == "") == (role == ""):
		return nil, 0, problem.Inputs(problem.Rulef("email", nil, "give either email or role"))
	case role != "":
		if roles := s.roles(); !slices.Contains(roles, string(role)) {
			return nil, 0, problem.Inputs(problem.Rulef("role", string(role), "must be one of %s", strings.Join(roles, ", ")))
		}
		return &Seen{Role: role}, viewer.NoUser, nil
	}
	user, err := findUser(ctx, s.DB, userByAddress, fold.String(email))
	if err != nil {
		return nil, 0, store.Problem(err)
	}
	who := &viewer.Viewer{}
	if user != nil {
		who.UserID = user.ID
		if err := s.Users.tenants().tell(ctx, who); err != nil {
			return nil, 0, err
		}
	}
	switch {
	case user == nil || !user.Active || who.Tenant != caller.Tenant:
		return nil, 0, problem.New(problem.NotFound, "no active user has this e-mail address")
	case user.ID == caller.UserID:
		return nil, 0, problem.Inputs(problem.Rulef("email", email, "is your own: see as another"))
	}
	return &Seen{User: user, Role: user.Role}, user.ID, nil
}

// roles are those that users can have.
func (s *Seer) roles() []string {
	if f := s.Users.Entity.Entity.Field("role"); f != nil {
		return f.Values
	}
	return nil
}

// within stands between the name of the row of a token to see as another and that of the
// sign-in by which it was asked for.
const within = "~"

// Actor is the actor of a token (RFC 8693, section 4.1): the admin who views the
// service as the token's user.
type Actor struct {
	Subject string `json:"sub"` // the id of the admin
}

// seeing is the audience of such tokens. It is another than that of others, so that
// programs that verify tokens by the public keys do not take the admin for the user.
func (i *Issuer) seeing() string { return i.Name + "#see-as" }

// see returns a token of an admin who sees as the user.
func (i *Issuer) see(admin, user int64, role viewer.Role, sid string, expires time.Time) (Token, error) {
	return i.sign(Claims{
		UserID: user, Role: role, SessionID: sid, Actor: &Actor{strconv.FormatInt(admin, 10)},
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer: i.Name, Audience: jwt.ClaimStrings{i.seeing()}, Subject: strconv.FormatInt(user, 10),
			IssuedAt: jwt.NewNumericDate(i.now()), ExpiresAt: jwt.NewNumericDate(expires),
		},
	})
}

// sees returns the viewer of an admin who sees as a user, or with NoUser as a role: nil
// where one of the two may not sign in, the admin is none any more, or the sign-in by
// which it was asked for has ended.
func (v *Verifier) sees(ctx context.Context, sid string, admin, user int64, role viewer.Role, now time.Time) (*viewer.Viewer, error) {
	_, parent, nested := strings.Cut(sid, within)
	if !nested {
		return nil, nil
	}
	var actor *viewer.Viewer
	for _, name := range []string{sid, parent} {
		var err error
		if actor, err = v.user(ctx, name, admin, now); actor == nil || err != nil {
			return nil, err
		}
	}
	if !actor.Is(viewer.Admin) {
		return nil, nil
	}
	who := &viewer.Viewer{UserID: viewer.NoUser, Role: role, Tenant: actor.Tenant}
	if user != viewer.NoUser {
		is, err := v.Caller(ctx, user, 0)
		if is == nil || err != nil || is.Tenant != actor.Tenant {
			return nil, err
		}
		who = is
	}
	who.Actor, who.SessionID = admin, sid
	return who, nil
}
