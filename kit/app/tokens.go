package app

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/config"
	"github.com/entwine-go/entwine/kit/idp"
	"github.com/entwine-go/entwine/kit/internal/batch"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

// foreign proves access tokens of another issuer (ENTWINE_JWT_ISSUER), and has what
// else there is proven as before.
type foreign struct {
	Authenticator
	set    config.JWT
	tokens *idp.Tokens
	// users are those of the service, whom a claim names. Nil: it has no accounts, and
	// a token says all that there is to know of a caller.
	users *account.Directory
	// standing finds users of now, for Still.
	standing *batch.Batch[*standing]
}

// foreignSID is the prefix of such callers' sign-ins. No other does.
const foreignSID = "issuer "

// errForeign is the answer to a token that names no caller of this service.
var errForeign = problem.New(problem.TokenInvalid, "token invalid")

// taking returns an authenticator that takes tokens of another issuer, too, where
// the settings name one.
func (h *Host) taking(own Authenticator) Authenticator {
	set := h.Config.JWT
	if set.Issuer == "" {
		return own
	}
	f := &foreign{Authenticator: own, set: set, tokens: &idp.Tokens{
		Issuer: set.Issuer, Audience: set.Audience, Algorithms: set.Algorithms, Keys: &idp.KeySet{URL: set.KeysURL},
	}}
	if h.Accounts != nil {
		f.users = h.directory(h.DB)
		f.standing = batch.New(standings, f.stand)
	}
	return f
}

// Token implements [Authenticator].
func (f *foreign) Token(ctx context.Context, text string) (*viewer.Viewer, error) {
	if !f.tokens.Names(text) {
		return f.Authenticator.Token(ctx, text)
	}
	claims, expires, err := f.tokens.Verify(ctx, text)
	if err != nil {
		return nil, err
	}
	who, err := f.caller(ctx, claims)
	if err != nil {
		return nil, err
	}
	who.Expires = expires
	named, _ := number(claim(claims, f.set.TenantClaim))
	return who, f.tenant(ctx, who, named)
}

// tenant completes a caller with the tenant that their user belongs to, or, where
// users have none, with the one that the token names.
func (f *foreign) tenant(ctx context.Context, who *viewer.Viewer, named int64) error {
	if f.users != nil && f.users.HasTenants() {
		return f.users.Tell(ctx, who)
	}
	who.Tenant = named
	return nil
}

// Still implements [Authenticator].
func (f *foreign) Still(ctx context.Context, was *viewer.Viewer) (*viewer.Viewer, error) {
	switch {
	case !strings.HasPrefix(was.SessionID, foreignSID):
		return f.Authenticator.Still(ctx, was)
	case !time.Now().Before(was.Expires):
		return nil, problem.New(problem.TokenExpired, "token expired")
	case f.users == nil:
		return was, nil
	}
	q := &standing{ctx: ctx, id: was.UserID}
	if f.standing.Do(q); q.err != nil {
		return nil, q.err
	}
	who := q.who
	who.SessionID, who.Expires = was.SessionID, was.Expires
	if !f.users.HasTenants() {
		who.Tenant = was.Tenant
	}
	return &who, nil
}

const (
	// standings is how many users one statement asks for.
	standings = 1000
	// standTime bounds that statement.
	standTime = 5 * time.Second
)

// standing is a question whether a user can still sign in, and its answer.
type standing struct {
	ctx context.Context
	id  int64

	who viewer.Viewer
	err error
}

// stand answers the questions by one statement.
func (f *foreign) stand(questions []*standing) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(questions[0].ctx), standTime)
	defer cancel()
	ids := make([]int64, len(questions))
	for i, q := range questions {
		ids[i] = q.id
	}
	slices.Sort(ids)
	active, err := f.users.Active(ctx, slices.Compact(ids))
	for _, q := range questions {
		who, is := active[q.id]
		switch q.who = who; {
		case err != nil:
			q.err = err
		case !is:
			q.err = errForeign
		}
	}
}

// caller returns the viewer that the claims name.
func (f *foreign) caller(ctx context.Context, claims map[string]any) (*viewer.Viewer, error) {
	subject, _ := claims["sub"].(string)
	if subject == "" {
		return nil, errForeign
	}
	sid := foreignSID + subject
	if f.users == nil {
		id, ok := derived(f.set.Issuer, subject), true
		if f.set.UserClaim != "" {
			id, ok = number(claim(claims, f.set.UserClaim))
		}
		if !ok {
			return nil, errForeign
		}
		return &viewer.Viewer{UserID: id, Role: f.role(claims), SessionID: sid}, nil
	}
	if f.set.UserClaim == "" || f.set.UserClaim == "email" {
		email, _ := claims["email"].(string)
		if email == "" || claims["email_verified"] != true { // else any address could be claimed
			return nil, errForeign
		}
		user, err := f.users.Find(ctx, email, false)
		return f.known(user, err, sid, time.Time{})
	}
	id, ok := number(claim(claims, f.set.UserClaim))
	if !ok {
		return nil, errForeign
	}
	user, err := f.users.ByID(ctx, id)
	return f.known(user, err, sid, time.Time{})
}

// known returns the caller who has an account, with the rights of the account.
func (f *foreign) known(user *account.User, err error, sid string, expires time.Time) (*viewer.Viewer, error) {
	if err != nil {
		return nil, err
	}
	if user == nil || !user.Active {
		return nil, errForeign
	}
	return &viewer.Viewer{UserID: user.ID, Role: user.Role, SessionID: sid, Expires: expires}, nil
}

// role is that of the claim: the first of the roles that count which it has, and of
// a claim with one role that one where the settings list none.
func (f *foreign) role(claims map[string]any) viewer.Role {
	var has []string
	switch v := claim(claims, f.set.RoleClaim).(type) {
	case string:
		has = []string{v}
	case []any:
		for _, one := range v {
			if text, ok := one.(string); ok {
				has = append(has, text)
			}
		}
	}
	if len(f.set.Roles) == 0 && len(has) == 1 {
		return viewer.Role(has[0])
	}
	for _, role := range f.set.Roles {
		if slices.Contains(has, role) {
			return viewer.Role(role)
		}
	}
	return ""
}

// claim is the value with the name, or along the path: "realm_access.roles".
func claim(claims map[string]any, name string) any {
	if value, ok := claims[name]; ok {
		return value
	}
	var value any = claims
	for member := range strings.SplitSeq(name, ".") {
		object, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = object[member]
	}
	return value
}

// number is an id: a whole number, or its digits.
func number(value any) (int64, bool) {
	var text string
	switch v := value.(type) {
	case json.Number:
		text = v.String()
	case string:
		text = v
	}
	id, err := strconv.ParseInt(text, 10, 64)
	return id, err == nil && id > 0
}

// derived is the id of a caller who has no row: 53 bits of the SHA-256 of issuer and
// subject, so that it is a number in JavaScript, too.
func derived(issuer, subject string) int64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s%s", len(issuer), issuer, subject))
	return int64(binary.BigEndian.Uint64(sum[:])>>11) | 1
}
