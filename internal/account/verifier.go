package account

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/apikey"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/refreshfamily"
	"github.com/entwine-go/entwine/ent/session"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/ent/user"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/pubsub"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Verifier turns credentials into viewers, on every request. What it has
// proven it believes for two seconds, unless a wake-up says that a user was
// deactivated, a role changed, a sign-in ended or a key revoked: this process
// is woken with the commit, others by the bus. It implements
// web.Authenticator.
type Verifier struct {
	issuer   *Issuer
	ent      *ent.Client
	log      *slog.Logger
	endings  *endings
	tokens   recent
	sessions recent
	keys     recent
	viewers  recent
}

// NewVerifier returns a verifier of the issuer's tokens, and of the
// database's sessions and keys. It listens on the bus, which the database's
// wake-ups reach (store.DB.OnWake), until that is closed.
func NewVerifier(db *store.DB, issuer *Issuer, bus pubsub.Bus, log *slog.Logger) *Verifier {
	e := newEndings(bus)
	return &Verifier{
		issuer: issuer, ent: orm.Client(db), log: log, endings: e,
		tokens: recent{endings: e}, sessions: recent{endings: e}, keys: recent{endings: e}, viewers: recent{endings: e},
	}
}

// Token returns the user whom an access token was issued to, or 401.
func (v *Verifier) Token(ctx context.Context, text string) (*viewer.Viewer, error) {
	now, began := v.issuer.now(), v.endings.now()
	if known := v.tokens.get(text, now); known != nil {
		return known, nil
	}
	claims, err := v.issuer.Verify(text)
	if err != nil {
		return nil, err
	}
	who, err := v.user(ctx, claims.SessionID, typedid.UserID(claims.UserID), now)
	if err != nil {
		return nil, err
	}
	if who == nil {
		return nil, errEnded
	}
	who.Expires = claims.ExpiresAt.Time
	v.tokens.put(text, who, now, began, who.Expires)
	return who, nil
}

// errSession is the answer to a session that is none (doc/api/errors.md).
var errSession = problem.New(problem.Unauthenticated, "authentication required")

// Session returns the user whose session cookie holds the secret, or 401.
func (v *Verifier) Session(ctx context.Context, secret string) (*viewer.Viewer, error) {
	now, began := v.issuer.now(), v.endings.now()
	if known := v.sessions.get(secret, now); known != nil {
		return known, nil
	}
	found, err := v.ent.Session.Query().
		Where(session.SecretHash(hashSecret(secret)), session.RevokedAtIsNil(), session.ExpiresAtGT(now)).
		WithUser(func(q *ent.UserQuery) { q.Where(user.IsActive(true)).Select(user.FieldID, user.FieldRole) }).
		Only(viewer.With(ctx, viewer.System()))
	if err != nil && !ent.IsNotFound(err) {
		return nil, store.Problem(fmt.Errorf("find session: %w", err))
	}
	if found == nil || found.Edges.User == nil {
		return nil, errSession
	}
	who := &viewer.Viewer{
		UserID: int64(found.UserID), Role: viewer.Role(found.Edges.User.Role),
		SessionID: found.Sid, Expires: found.ExpiresAt,
	}
	v.sessions.put(secret, who, now, began, who.Expires)
	return who, nil
}

// user returns the user as the database knows them now, nil where they, or
// the sign-in with the name, can't be used any more.
func (v *Verifier) user(ctx context.Context, sid string, id typedid.UserID, now time.Time) (*viewer.Viewer, error) {
	var users *ent.UserQuery
	switch {
	case strings.HasPrefix(sid, familySID):
		users = v.ent.RefreshFamily.Query().
			Where(refreshfamily.Sid(sid), refreshfamily.RevokedAtIsNil(), refreshfamily.ExpiresAtGT(now)).QueryUser()
	case strings.HasPrefix(sid, sessionSID):
		users = v.ent.Session.Query().
			Where(session.Sid(sid), session.RevokedAtIsNil(), session.ExpiresAtGT(now)).QueryUser()
	default:
		return nil, nil
	}
	who, err := users.Where(user.ID(id), user.IsActive(true)).Select(user.FieldID, user.FieldRole).
		Only(viewer.With(ctx, viewer.System()))
	if ent.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, store.Problem(fmt.Errorf("find user %d: %w", id, err))
	}
	return &viewer.Viewer{UserID: int64(id), Role: viewer.Role(who.Role), SessionID: sid}, nil
}

// APIKey returns the program that a key belongs to, or 401.
func (v *Verifier) APIKey(ctx context.Context, text string) (*viewer.Viewer, error) {
	now, began := v.issuer.now(), v.endings.now()
	if known := v.keys.get(text, now); known != nil {
		return known, nil
	}
	prefix, secret, ok := splitKey(text)
	if !ok {
		return nil, errKey
	}
	key, err := v.key(viewer.With(ctx, viewer.System()), prefix, secret, now)
	if err != nil {
		return nil, err
	}
	who := program(key)
	v.keys.put(text, who, now, began, who.Expires)
	return who, nil
}

// program returns the viewer that a key is.
func program(key *ent.APIKey) *viewer.Viewer {
	who := &viewer.Viewer{KeyID: int64(key.ID), Client: key.ClientName}
	for _, p := range key.Permissions {
		who.Permissions = append(who.Permissions, viewer.Permission(p))
	}
	if key.ExpiresAt != nil {
		who.Expires = *key.ExpiresAt
	}
	return who
}

// Still returns a viewer whom this verifier has proven before as they are
// now, or 401: for what goes on after the request that proved it.
func (v *Verifier) Still(ctx context.Context, was *viewer.Viewer) (*viewer.Viewer, error) {
	now, began := v.issuer.now(), v.endings.now()
	if !was.Authenticated() || was.System {
		return was, nil
	}
	if !was.Expires.IsZero() && !now.Before(was.Expires) {
		return nil, errExpired
	}
	name := was.SessionID + " " + strconv.FormatInt(was.KeyID, 10)
	if known := v.viewers.get(name, now); known != nil {
		return known, nil
	}
	is, err := v.again(ctx, was, now)
	if err != nil {
		return nil, err
	}
	if is == nil {
		return nil, errInvalid
	}
	is.Expires = was.Expires
	v.viewers.put(name, is, now, began, is.Expires)
	return is, nil
}

func (v *Verifier) again(ctx context.Context, was *viewer.Viewer, now time.Time) (*viewer.Viewer, error) {
	if was.KeyID == 0 {
		return v.user(ctx, was.SessionID, typedid.UserID(was.UserID), now)
	}
	key, err := v.ent.APIKey.Query().Where(apikey.ID(typedid.APIKeyID(was.KeyID)), apikey.RevokedAtIsNil()).
		Only(viewer.With(ctx, viewer.System()))
	if ent.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, store.Problem(fmt.Errorf("find API key %d: %w", was.KeyID, err))
	}
	return program(key), nil
}
