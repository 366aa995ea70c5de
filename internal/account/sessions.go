package account

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/refreshfamily"
	"github.com/entwine-go/entwine/ent/session"
	"github.com/entwine-go/entwine/kit/viewer"
)

// ActiveSession is what a user sees of one of their sign-ins.
type ActiveSession struct {
	// ID is the name by which it can be ended. It is no secret.
	ID      string
	Mode    Mode
	Agent   string
	Address string
	Created time.Time
	Expires time.Time
	// Current is set for the one that the caller uses.
	Current bool
}

// List returns the caller's own sign-ins that have not ended, the newest first.
func (g *Gatekeeper) List(ctx context.Context) ([]ActiveSession, error) {
	caller, err := self(ctx)
	if err != nil {
		return nil, err
	}
	current := viewer.From(ctx).SessionID
	ctx = viewer.With(ctx, viewer.System())
	client := orm.Client(g.DB)
	families, err := client.RefreshFamily.Query().
		Where(refreshfamily.UserID(caller), refreshfamily.RevokedAtIsNil(), refreshfamily.ExpiresAtGT(g.now())).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("list refresh families: %w", err)
	}
	sessions, err := client.Session.Query().
		Where(session.UserID(caller), session.RevokedAtIsNil(), session.ExpiresAtGT(g.now())).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	var all []ActiveSession
	for _, f := range families {
		all = append(all, ActiveSession{f.Sid, ModeBearer, f.UserAgent, f.Address, f.CreatedAt, f.ExpiresAt, f.Sid == current})
	}
	for _, s := range sessions {
		all = append(all, ActiveSession{s.Sid, Mode(s.Mode), s.UserAgent, s.Address, s.CreatedAt, s.ExpiresAt, s.Sid == current})
	}
	slices.SortFunc(all, func(a, b ActiveSession) int {
		return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(a.ID, b.ID))
	})
	return all, nil
}
