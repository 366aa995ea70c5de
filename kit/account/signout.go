package account

import (
	"context"
	"fmt"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
)

// SignOut ends the caller's sign-in, and the one that a refresh token
// belongs to. It is done as well where neither is any good any more.
func (g *Gatekeeper) SignOut(ctx context.Context, refresh string) error {
	sids := []string{viewer.From(ctx).SessionID}
	if token, ok := parseRefreshToken(g.Vault, refresh); ok {
		sids = append(sids, token.sid)
	}
	_, err := g.end(ctx, "logout", sids, named, sids[0], sids[len(sids)-1])
	return err
}

// End ends one of the caller's own sign-ins. The error is of kind NotFound
// where they have none of the name.
func (g *Gatekeeper) End(ctx context.Context, sid string) error {
	caller, err := self(ctx)
	if err != nil {
		return err
	}
	var ended int64
	if storable(sid) {
		ended, err = g.end(ctx, "logout", []string{sid}, theirs, caller, sid)
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
func (g *Gatekeeper) endOthers(ctx context.Context, id int64, current, reason string) error {
	_, err := g.end(ctx, reason, []string{userName(id)}, others, id, current)
	return err
}

// EndAll ends every sign-in of a user, for a reason that is kept.
func (g *Gatekeeper) EndAll(ctx context.Context, id int64, reason string) error {
	return g.endOthers(ctx, id, "", reason)
}

// ending says which sign-ins are ended, in either table, by two arguments.
type ending struct{ families, sessions statement.Statement }

func endingOf(which string) ending {
	return ending{
		families: statement.Of(`UPDATE refresh_families SET revoked_at = $3, revoked_for = $4 WHERE revoked_at IS NULL AND ` + which),
		sessions: statement.Of(`UPDATE sessions SET revoked_at = $3 WHERE revoked_at IS NULL AND ` + which),
	}
}

var (
	named  = endingOf(`sid IN ($1, $2)`)
	theirs = endingOf(`user_id = $1 AND sid = $2`)
	others = endingOf(`user_id = $1 AND sid <> $2`)
)

// end ends those of the sign-ins that have not been ended, and returns how
// many that were. Their tokens end with the commit in this process: names are
// those of their viewers. Other processes hear of it at once, or else notice
// within two seconds.
func (g *Gatekeeper) end(ctx context.Context, reason string, names []string, which ending, a, b any) (int64, error) {
	if err := viewer.From(ctx).MayChange(); err != nil {
		return 0, err
	}
	var count int64
	err := g.DB.InTx(ctx, func(ctx context.Context) error {
		n, err := which.families.Exec(ctx, g.DB, a, b, g.now(), reason)
		if err != nil {
			return err
		}
		m, err := which.sessions.Exec(ctx, g.DB, a, b, g.now())
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
func self(ctx context.Context) (int64, error) {
	v := viewer.From(ctx)
	switch {
	case v.UserID != 0:
		return v.UserID, nil
	case v.Authenticated():
		return 0, problem.New(problem.Forbidden, "only a user can do this")
	}
	return 0, problem.ErrAuthRequired
}
