package account

import (
	"context"
	"crypto/hmac"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// grace is how long the token before the head still gets the head: for a
// client that refreshes twice at once, or that lost the answer.
const grace = 10 * time.Second

// errRefresh is all that a client learns of a refresh token that is no good.
var errRefresh = problem.New(problem.TokenInvalid, "the refresh token is not valid: sign in again")

// family is a sign-in and the refresh tokens that followed from it.
type family struct {
	id               int64
	sid              string
	counter          int64
	rotated, expires time.Time
}

var beginFamilyText = statement.Of(`
	INSERT INTO refresh_families (created_at, sid, counter, user_id, rotated_at, expires_at, user_agent, address)
	VALUES (now(), $1, 0, $2, $3, $4, $5, $6)`)

// beginFamily makes a refresh family and its first tokens.
func (g *Gatekeeper) beginFamily(ctx context.Context, u *User, from Origin) (*Grant, error) {
	now := g.now()
	f := family{sid: newSID(familySID), rotated: now, expires: now.Add(RefreshLife)}
	if _, err := beginFamilyText.Exec(ctx, g.DB, f.sid, u.ID, f.rotated, f.expires, from.agent(), from.Address); err != nil {
		return nil, err
	}
	return g.grant(u, f, f.counter)
}

// grant returns the family's tokens with the counter as head.
func (g *Gatekeeper) grant(u *User, f family, counter int64) (*Grant, error) {
	access, err := g.Issuer.Issue(u.ID, u.Role, f.sid)
	if err != nil {
		return nil, err
	}
	refresh := Token{Text: refreshToken{f.sid, counter}.sign(g.Vault), Expires: f.expires}
	return &Grant{User: u, Mode: ModeBearer, Access: access, Refresh: refresh}, nil
}

var (
	rotateFamilyText = statement.Of(`
		UPDATE refresh_families SET counter = counter + 1, rotated_at = $3
		WHERE sid = $1 AND counter = $2 AND revoked_at IS NULL AND expires_at > $3`)
	familyText = statement.Of(`
		SELECT f.id, f.sid, f.counter, f.rotated_at, f.expires_at, ` + userColumns + `
		FROM refresh_families AS f JOIN users ON users.id = f.user_id
		WHERE f.sid = $1 AND f.revoked_at IS NULL AND f.expires_at > $2`)
)

// Refresh exchanges a refresh token for its successor and a new access token.
// The token is used up by that. Reuse within [grace], while the successor is
// unused, returns the same successor, for clients whose answer was lost. Any
// other reuse means that the token was stolen, and ends the family. Errors are of kind Unauthenticated
// where there is no token, TokenInvalid where it is no good.
func (g *Gatekeeper) Refresh(ctx context.Context, text string) (*Grant, error) {
	if text == "" {
		return nil, problem.ErrAuthRequired
	}
	token, ok := parseRefreshToken(g.Vault, text)
	if !ok {
		return nil, errRefresh
	}
	rotated, err := rotateFamilyText.Exec(ctx, g.DB, token.sid, token.counter, g.now())
	if err != nil {
		return nil, fmt.Errorf("rotate refresh family: %w", err)
	}
	var f family
	var u User
	found, err := familyText.Row(ctx, g.DB, append([]any{&f.id, &f.sid, &f.counter, &f.rotated, &f.expires}, u.columns()...), token.sid, g.now())
	if err != nil {
		return nil, fmt.Errorf("read refresh family: %w", err)
	}
	if !found {
		return nil, errRefresh
	}
	if rotated == 0 && (f.counter != token.counter+1 || g.now().Sub(f.rotated) > grace) {
		if err := g.revokeFamily(ctx, f, "reuse"); err != nil {
			return nil, err
		}
		return nil, errRefresh
	}
	if !u.Active {
		return nil, errRefresh
	}
	return g.grant(&u, f, token.counter+1)
}

var revokeFamilyText = statement.Of(`
	UPDATE refresh_families SET revoked_at = $2, revoked_for = $3 WHERE id = $1 AND revoked_at IS NULL`)

func (g *Gatekeeper) revokeFamily(ctx context.Context, f family, reason string) error {
	if _, err := revokeFamilyText.Exec(ctx, g.DB, f.id, g.now(), reason); err != nil {
		return fmt.Errorf("revoke refresh family %d: %w", f.id, err)
	}
	ended(ctx, g.DB, f.sid)
	return nil
}

// refreshToken is a decoded refresh token: the family and its place there. As text it is
// sid.counter.mac, so that reading the database is not enough to make one.
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
