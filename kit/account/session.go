package account

import (
	"context"
	"crypto/rand"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/store/statement"
)

// The beginnings of the names of sign-ins tell which table has their row.
const (
	familySID  = "f"
	sessionSID = "s"
)

func newSID(kind string) string { return kind + strings.ToLower(rand.Text()) }

var beginSessionText = statement.Of(`
	INSERT INTO sessions (created_at, sid, mode, user_id, expires_at, user_agent, address, secret_hash)
	VALUES (now(), $1, $2, $3, $4, $5, $6, $7)`)

// beginSession makes a session. In mode session its secret is what the client
// carries, in mode cookie an access token that lives as long as it does.
func (g *Gatekeeper) beginSession(ctx context.Context, u *User, mode Mode, from Origin, life time.Duration) (*Grant, error) {
	grant := &Grant{User: u, Mode: mode}
	expires := g.now().Add(life)
	sid := newSID(sessionSID)
	var hash any // null for a token in a cookie
	if mode == ModeSession {
		grant.Session = Token{Text: newSecret(), Expires: expires}
		hash = hashSecret(grant.Session.Text)
	} else {
		issuer := *g.Issuer
		issuer.Lifetime = life
		token, err := issuer.Issue(u.ID, u.Role, sid)
		if err != nil {
			return nil, err
		}
		grant.Access = token
	}
	_, err := beginSessionText.Exec(ctx, g.DB, sid, string(mode), u.ID, expires, from.agent(), from.Address, hash)
	return grant, err
}
