package account

import (
	"context"
	"fmt"

	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/predicate"
	"github.com/entwine-go/entwine/ent/refreshfamily"
	"github.com/entwine-go/entwine/ent/session"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

// SignOut ends the caller's sign-in, and the one that a refresh token
// belongs to. It is done as well where neither is any good any more.
func (g *Gatekeeper) SignOut(ctx context.Context, refresh string) error {
	sids := []string{viewer.From(ctx).SessionID}
	if token, ok := parseRefreshToken(g.Vault, refresh); ok {
		sids = append(sids, token.sid)
	}
	_, err := g.end(ctx, "logout", sids,
		families{refreshfamily.SidIn(sids...)}, sessions{session.SidIn(sids...)})
	return err
}

// End ends one of the caller's own sign-ins. The error is of kind NotFound
// where they have none of the name.
func (g *Gatekeeper) End(ctx context.Context, sid string) error {
	caller, err := self(ctx)
	if err != nil {
		return err
	}
	ended := 0
	if storable(sid) {
		ended, err = g.end(ctx, "logout", []string{sid},
			families{refreshfamily.Sid(sid), refreshfamily.UserID(caller)},
			sessions{session.Sid(sid), session.UserID(caller)})
	}
	if err == nil && ended == 0 {
		return problem.New(problem.NotFound, "you have no session %q", sid)
	}
	return err
}

// EndOthers ends all of the caller's own sign-ins but the current one.
func (g *Gatekeeper) EndOthers(ctx context.Context) error {
	caller, err := self(ctx)
	if err != nil {
		return err
	}
	return g.endOthers(ctx, caller, viewer.From(ctx).SessionID, "logout")
}

// endOthers ends all sign-ins of a user but the one with the name, for a
// reason that is kept.
func (g *Gatekeeper) endOthers(ctx context.Context, id typedid.UserID, current, reason string) error {
	_, err := g.end(ctx, reason, []string{userName(int64(id))},
		families{refreshfamily.UserID(id), refreshfamily.SidNEQ(current)},
		sessions{session.UserID(id), session.SidNEQ(current)})
	return err
}

// EndAll ends every sign-in of a user, for a reason that is kept.
func (g *Gatekeeper) EndAll(ctx context.Context, id typedid.UserID, reason string) error {
	_, err := g.end(ctx, reason, []string{userName(int64(id))}, families{refreshfamily.UserID(id)}, sessions{session.UserID(id)})
	return err
}

// families and sessions say which sign-ins are meant.
type (
	families []predicate.RefreshFamily
	sessions []predicate.Session
)

// end ends those of the sign-ins that have not been ended, and returns how
// many that were. Their tokens end with the commit in this process: names are
// those of their viewers. Other processes hear of it at once, or else notice
// within two seconds.
func (g *Gatekeeper) end(ctx context.Context, reason string, names []string, f families, s sessions) (int, error) {
	ctx = viewer.With(ctx, viewer.System())
	count := 0
	err := g.DB.InTx(ctx, func(ctx context.Context) error {
		n, err := orm.Client(g.DB).RefreshFamily.Update().Where(append(f, refreshfamily.RevokedAtIsNil())...).
			SetRevokedAt(g.now()).SetRevokedFor(reason).Save(ctx)
		if err != nil {
			return err
		}
		m, err := orm.Client(g.DB).Session.Update().Where(append(s, session.RevokedAtIsNil())...).SetRevokedAt(g.now()).Save(ctx)
		if count = n + m; count > 0 {
			ended(ctx, g.DB, names...)
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("end sign-ins: %w", err)
	}
	return count, nil
}

// self returns the user who calls, or why there is none.
func self(ctx context.Context) (typedid.UserID, error) {
	v := viewer.From(ctx)
	switch {
	case v.UserID != 0:
		return typedid.UserID(v.UserID), nil
	case v.Authenticated():
		return 0, problem.New(problem.Forbidden, "only a user can do this")
	}
	return 0, problem.ErrAuthRequired
}
