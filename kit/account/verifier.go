package account

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/internal/batch"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/pubsub"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Verifier turns credentials into viewers, on every request. It caches a proof for
// two seconds, unless a wake-up says that a user was deactivated, a role changed,
// a sign-in ended or a key revoked: this process is woken with the commit, others
// by the bus. It implements web.Authenticator.
type Verifier struct {
	issuer   *Issuer
	db       *store.DB
	log      *slog.Logger
	endings  *endings
	tokens   recent
	sessions recent
	keys     recent
	viewers  recent
	tenants  *tenants
	signIns  *batch.Batch[*signIn] // of Still
}

// NewVerifier returns a verifier of the issuer's tokens, and of the
// database's sessions and keys. It listens on the bus, which the database's
// wake-ups reach (store.DB.OnWake), until that is closed.
func NewVerifier(db *store.DB, issuer *Issuer, bus pubsub.Bus, log *slog.Logger) *Verifier {
	e := newEndings(bus)
	v := &Verifier{
		issuer: issuer, db: db, log: log, endings: e,
		tokens: recent{endings: e}, sessions: recent{endings: e}, keys: recent{endings: e}, viewers: recent{endings: e, age: streamAge},
	}
	v.signIns = batch.New(asked, v.askFor)
	return v
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
	who, err := v.named(ctx, claims, now)
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

// named returns the viewer that the claims name, with their rights of now, nil where
// they may no longer sign in.
func (v *Verifier) named(ctx context.Context, c *Claims, now time.Time) (*viewer.Viewer, error) {
	if c.Actor == nil {
		return v.user(ctx, c.SessionID, c.UserID, now)
	}
	admin, err := strconv.ParseInt(c.Actor.Subject, 10, 64)
	if err != nil {
		return nil, errInvalid
	}
	return v.sees(ctx, c.SessionID, admin, c.UserID, c.Role, now)
}

// errSession is the answer to a session that is none (doc/api/errors.md).
var errSession = problem.New(problem.Unauthenticated, "authentication required")

var sessionText = statement.Of(`
	SELECT sessions.sid, sessions.expires_at, users.id, users.role FROM sessions JOIN users ON users.id = sessions.user_id
	WHERE sessions.secret_hash = $1 AND sessions.revoked_at IS NULL AND sessions.expires_at > $2 AND ` + activeUser)

// Session returns the user whose session cookie holds the secret, or 401.
func (v *Verifier) Session(ctx context.Context, secret string) (*viewer.Viewer, error) {
	now, began := v.issuer.now(), v.endings.now()
	if known := v.sessions.get(secret, now); known != nil {
		return known, nil
	}
	who := new(viewer.Viewer)
	found, err := sessionText.Row(ctx, v.db, []any{&who.SessionID, &who.Expires, &who.UserID, &who.Role}, hashSecret(secret), now)
	if err != nil {
		return nil, store.Problem(fmt.Errorf("find session: %w", err))
	}
	if !found {
		return nil, errSession
	}
	if err := v.tenants.tell(ctx, who); err != nil {
		return nil, err
	}
	v.sessions.put(secret, who, now, began, who.Expires)
	return who, nil
}

// holderOf returns who has a sign-in that goes on, by the table of its row.
func holderOf(table string) statement.Statement {
	return statement.Of(`
		SELECT users.role FROM ` + table + ` AS s JOIN users ON users.id = s.user_id
		WHERE s.sid = $1 AND s.user_id = $2 AND s.revoked_at IS NULL AND s.expires_at > $3 AND ` + activeUser)
}

var (
	familyHolder  = holderOf("refresh_families")
	sessionHolder = holderOf("sessions")
)

// table is the statement for the table that has the row of the sign-in, nil where none has.
func table(sid string) *statement.Statement {
	switch {
	case strings.HasPrefix(sid, familySID):
		return &familyHolder
	case strings.HasPrefix(sid, sessionSID):
		return &sessionHolder
	}
	return nil
}

// user returns the user as the database knows them now, nil where they, or
// the sign-in with the name, can't be used any more.
func (v *Verifier) user(ctx context.Context, sid string, id int64, now time.Time) (*viewer.Viewer, error) {
	holder := table(sid)
	if holder == nil {
		return nil, nil
	}
	who := &viewer.Viewer{UserID: id, SessionID: sid}
	found, err := holder.Row(ctx, v.db, []any{&who.Role}, sid, id, now)
	if err != nil {
		return nil, store.Problem(fmt.Errorf("find user %d: %w", id, err))
	}
	if !found {
		return nil, nil
	}
	return who, v.tenants.tell(ctx, who)
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
	key, err := v.key(ctx, prefix, secret, now)
	if err != nil {
		return nil, err
	}
	who, err := v.program(ctx, key)
	if err != nil {
		return nil, err
	}
	v.keys.put(text, who, now, began, who.Expires)
	return who, nil
}

// program returns the viewer that a key is.
func (v *Verifier) program(ctx context.Context, key *workingKey) (*viewer.Viewer, error) {
	who := &viewer.Viewer{KeyID: key.id, Client: key.client}
	if err := json.Unmarshal(key.permissions, &who.Permissions); err != nil {
		return nil, fmt.Errorf("read permissions of API key %d: %w", key.id, err)
	}
	if key.version != nil {
		who.Version = *key.version
	}
	if key.expires != nil {
		who.Expires = *key.expires
	}
	return who, v.tenants.tell(ctx, who)
}

// Still proves a viewer of this verifier again, and returns them with their rights
// of now, or 401. Work that outlives its request, such as a subscription, calls
// it.
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
	is, err := v.again(ctx, was)
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

func (v *Verifier) again(ctx context.Context, was *viewer.Viewer) (*viewer.Viewer, error) {
	if was.Actor != 0 {
		return v.sees(ctx, was.SessionID, was.Actor, was.UserID, was.Role, v.issuer.now())
	}
	if was.KeyID == 0 {
		return v.signedIn(ctx, was.SessionID, was.UserID)
	}
	key, err := findKey(ctx, v.db, keyByID, was.KeyID)
	if key == nil || err != nil {
		return nil, err
	}
	return v.program(ctx, key)
}
