package account

import (
	"context"
	"crypto/hmac"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/refreshfamily"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

// grace is how long the token before the head still gets the head: for a
// client that refreshes twice at once, or that lost the answer.
const grace = 10 * time.Second

// errRefresh is all that a client learns of a refresh token that is no good.
var errRefresh = problem.New(problem.TokenInvalid, "the refresh token is not valid: sign in again")

// beginFamily makes a refresh family and its first tokens.
func (g *Gatekeeper) beginFamily(ctx context.Context, u *ent.User, from Origin) (*Grant, error) {
	now := g.now()
	family, err := orm.Client(g.DB).RefreshFamily.Create().SetSid(newSID(familySID)).SetUserID(u.ID).
		SetRotatedAt(now).SetExpiresAt(now.Add(RefreshLife)).SetUserAgent(from.agent()).SetAddress(from.Address).
		Save(ctx)
	if err != nil {
		return nil, err
	}
	return g.grant(u, family, family.Counter)
}

// grant returns the family's tokens with the counter as head.
func (g *Gatekeeper) grant(u *ent.User, family *ent.RefreshFamily, counter int64) (*Grant, error) {
	access, err := g.Issuer.Issue(int64(u.ID), viewer.Role(u.Role), family.Sid)
	if err != nil {
		return nil, err
	}
	refresh := Token{Text: refreshToken{family.Sid, counter}.sign(g.Vault), Expires: family.ExpiresAt}
	return &Grant{User: u, Mode: ModeBearer, Access: access, Refresh: refresh}, nil
}

// Refresh exchanges a refresh token for its successor and a new access token.
// The token dies with that. Whoever uses it again within [grace], as long as
// its successor is unused, gets the same successor; otherwise two parties
// hold the family, and it ends for both. Errors are of kind Unauthenticated
// where there is no token, TokenInvalid where it is no good.
func (g *Gatekeeper) Refresh(ctx context.Context, text string) (*Grant, error) {
	if text == "" {
		return nil, problem.ErrAuthRequired
	}
	token, ok := parseRefreshToken(g.Vault, text)
	if !ok {
		return nil, errRefresh
	}
	ctx = viewer.With(ctx, viewer.System())
	rotated, err := orm.Client(g.DB).RefreshFamily.Update().
		Where(refreshfamily.Sid(token.sid), refreshfamily.Counter(token.counter), refreshfamily.RevokedAtIsNil(), refreshfamily.ExpiresAtGT(g.now())).
		AddCounter(1).SetRotatedAt(g.now()).Save(ctx)
	if err != nil {
		return nil, fmt.Errorf("rotate refresh family: %w", err)
	}
	family, err := orm.Client(g.DB).RefreshFamily.Query().
		Where(refreshfamily.Sid(token.sid), refreshfamily.RevokedAtIsNil(), refreshfamily.ExpiresAtGT(g.now())).
		WithUser().Only(ctx)
	if ent.IsNotFound(err) {
		return nil, errRefresh
	}
	if err != nil {
		return nil, fmt.Errorf("read refresh family: %w", err)
	}
	if rotated == 0 && (family.Counter != token.counter+1 || g.now().Sub(family.RotatedAt) > grace) {
		if err := g.revokeFamily(ctx, family, "reuse"); err != nil {
			return nil, err
		}
		return nil, errRefresh
	}
	// The user is not read when deleted.
	if u := family.Edges.User; u != nil && u.IsActive {
		return g.grant(u, family, token.counter+1)
	}
	return nil, errRefresh
}

func (g *Gatekeeper) revokeFamily(ctx context.Context, family *ent.RefreshFamily, reason string) error {
	err := orm.Client(g.DB).RefreshFamily.Update().
		Where(refreshfamily.ID(family.ID), refreshfamily.RevokedAtIsNil()).
		SetRevokedAt(g.now()).SetRevokedFor(reason).Exec(ctx)
	if err != nil {
		return fmt.Errorf("revoke refresh family %d: %w", family.ID, err)
	}
	ended(ctx, g.DB, family.Sid)
	return nil
}

// refreshToken is what a refresh token says: the family and its place there.
// As text it is sid.counter.mac, so nothing that a database tells makes one.
type refreshToken struct {
	sid     string
	counter int64
}

func (t refreshToken) sign(v *Vault) string {
	said := t.sid + "." + strconv.FormatInt(t.counter, 10)
	return said + "." + base64.RawURLEncoding.EncodeToString(v.mac(forRefresh, said))
}

// parseRefreshToken reports false unless the token is one of ours.
func parseRefreshToken(v *Vault, text string) (refreshToken, bool) {
	end := strings.LastIndexByte(text, '.')
	if end < 0 {
		return refreshToken{}, false
	}
	mac, err := base64.RawURLEncoding.Strict().DecodeString(text[end+1:])
	if err != nil {
		return refreshToken{}, false
	}
	for _, ours := range v.macs(forRefresh, text[:end]) {
		if hmac.Equal(ours, mac) {
			sid, counter, _ := strings.Cut(text[:end], ".")
			n, err := strconv.ParseInt(counter, 10, 64)
			return refreshToken{sid, n}, err == nil
		}
	}
	return refreshToken{}, false
}
