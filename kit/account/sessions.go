package account

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
)

// ActiveSession describes a sign-in to its user.
type ActiveSession struct {
	// ID is the name by which it can be ended. It is no secret.
	ID      string
	Mode    Mode      // how the client carries its proof
	Agent   string    // the program, as it named itself
	Address string    // the network address that it began from
	Created time.Time // when it began, in UTC
	Expires time.Time // when it ends by itself, in UTC
	// Current is set for the one that the caller uses.
	Current bool
}

var listText = statement.Of(`
	SELECT sid, 'bearer', user_agent, address, created_at, expires_at FROM refresh_families
	WHERE user_id = $1 AND revoked_at IS NULL AND expires_at > $2
	UNION ALL
	SELECT sid, mode, user_agent, address, created_at, expires_at FROM sessions
	WHERE user_id = $1 AND revoked_at IS NULL AND expires_at > $2`)

// List returns the caller's own sign-ins that have not ended, the newest first.
func (g *Gatekeeper) List(ctx context.Context) ([]ActiveSession, error) {
	caller, err := self(ctx)
	if err != nil {
		return nil, err
	}
	current := viewer.From(ctx).SessionID
	var all []ActiveSession
	err = listText.Query(ctx, g.DB, func(rows *sql.Rows) error {
		var s ActiveSession
		err := rows.Scan(&s.ID, &s.Mode, &s.Agent, &s.Address, &s.Created, &s.Expires)
		s.Current = s.ID == current
		all = append(all, s)
		return err
	}, caller, g.now())
	if err != nil {
		return nil, fmt.Errorf("list sign-ins: %w", err)
	}
	slices.SortFunc(all, func(a, b ActiveSession) int {
		return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(a.ID, b.ID))
	})
	return all, nil
}
