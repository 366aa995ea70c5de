package account

import (
	"context"
	"crypto/rand"
	"strings"
	"time"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/session"
	"github.com/entwine-go/entwine/kit/viewer"
)

// The beginnings of the names of sign-ins tell which table has their row.
const (
	familySID  = "f"
	sessionSID = "s"
)

func newSID(kind string) string { return kind + strings.ToLower(rand.Text()) }

// beginSession makes a session. In mode session its secret is what the client
// carries, in mode cookie an access token that lives as long as it does.
func (g *Gatekeeper) beginSession(ctx context.Context, u *ent.User, mode Mode, from Origin, life time.Duration) (*Grant, error) {
	grant := &Grant{User: u, Mode: mode}
	expires := g.now().Add(life)
	sid := newSID(sessionSID)
	create := orm.Client(g.DB).Session.Create().SetSid(sid).SetMode(session.Mode(mode)).SetUserID(u.ID).
		SetExpiresAt(expires).SetUserAgent(from.agent()).SetAddress(from.Address)
	if mode == ModeSession {
		grant.Session = Token{Text: newSecret(), Expires: expires}
		create.SetSecretHash(hashSecret(grant.Session.Text))
	} else {
		issuer := *g.Issuer
		issuer.Lifetime = life
		token, err := issuer.Issue(int64(u.ID), viewer.Role(u.Role), sid)
		if err != nil {
			return nil, err
		}
		grant.Access = token
	}
	return grant, create.Exec(ctx)
}
