package account

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/entwine-go/entwine/kit/fold"
	"github.com/entwine-go/entwine/kit/mail"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
)

// maxChanges is how often users may change their own address within an hour:
// each change sends mail to an address of the caller's choice.
const maxChanges = 5

// Confirm makes sure that it is the caller who changes their own address, by
// their password, where that is asked for. It takes long, so it is called
// before there is a transaction. An admin who changes another's is not asked.
func (a *Addresses) Confirm(ctx context.Context, id int64, email, password, field string, from Origin) error {
	if !a.AskPassword || viewer.From(ctx).UserID != id {
		return nil
	}
	caller, has, err := a.Factor.caller(ctx)
	if err != nil || fold.String(caller.Email) == fold.String(email) {
		return err
	}
	if password == "" {
		return problem.Inputs(problem.Invalidf(field, nil, "is required for another e-mail address"))
	}
	return a.Factor.know(viewer.With(ctx, viewer.AcrossTenants()), caller, has, password, from)
}

// errNoPassword is the answer to what only a password proves.
var errNoPassword = problem.New(problem.Conflict, "this account has no password yet: ask for one at /auth/forgot-password")

// know makes sure that it is the user who asks, by their password alone.
// Attempts count with those to sign in.
func (f *SecondFactor) know(ctx context.Context, who *User, has *credential, password string, from Origin) error {
	if has.password == nil {
		return errNoPassword
	}
	return f.Throttle.try(ctx, who.Email, from, func() error {
		matches, err := f.Passwords.Matches(ctx, *has.password, password)
		if err == nil && !matches {
			return errPassword
		}
		return err
	})
}

var errPassword = problem.New(problem.InvalidCredentials, "the password is wrong")

// Change makes a change of a user in a transaction. Where the user has another
// address afterwards, the old one gets a mail, and can be taken back.
func (a *Addresses) Change(ctx context.Context, id int64, change func(ctx context.Context) error) error {
	return a.DB.InTx(ctx, func(ctx context.Context) error {
		before, err := hold(ctx, a.DB, id)
		if err != nil {
			return err
		}
		if err := change(ctx); err != nil {
			return err
		}
		after, err := hold(ctx, a.DB, id)
		if err != nil || fold.String(before) == fold.String(after) {
			return err
		}
		if err := a.leave(ctx, id, before); err != nil {
			return store.Problem(fmt.Errorf("change address of user %d: %w", id, err))
		}
		return a.Made(ctx, after)
	})
}

var (
	changesText = statement.Of(`
		SELECT created_at FROM email_changes WHERE user_id = $1 AND created_at > $2 ORDER BY id DESC LIMIT $3`)
	leaveText = statement.Of(`
		INSERT INTO email_changes (user_id, old_email, seed, token_hash, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`)
)

// leave notes that a user has left an address, and sends a mail to it.
func (a *Addresses) leave(ctx context.Context, id int64, email string) error {
	own := viewer.From(ctx).UserID == id
	ctx = viewer.With(ctx, viewer.AcrossTenants())
	if own {
		last, err := moments(ctx, a.DB, changesText, id, a.now().Add(-failureWindow), maxChanges)
		if err != nil {
			return err
		}
		if len(last) == maxChanges {
			over := problem.New(problem.RateLimited, "the e-mail address was changed %d times within an hour: try again later", maxChanges)
			over.RetryAfter = last[maxChanges-1].Add(failureWindow).Sub(a.now())
			return over
		}
	}
	seed := make([]byte, secretLen)
	_, _ = rand.Read(seed) // never fails
	var change int64
	_, err := leaveText.Row(ctx, a.DB, []any{&change}, id, email, seed,
		hashSecret(hex.EncodeToString(a.Vault.mac(forTakeBack, string(seed)))), a.now(), a.now().Add(TakeBackLife))
	if err != nil {
		return err
	}
	return a.Tell(ctx, Notice{About: AboutChange, Change: change})
}

// leftAddress is an address that a user has left.
type leftAddress struct {
	id, user         int64
	email            string
	seed, hash       []byte
	created, expires time.Time
}

const leftColumns = `SELECT c.id, c.user_id, c.old_email, c.seed, c.token_hash, c.created_at, c.expires_at FROM email_changes AS c `

var (
	leftByID    = statement.Of(leftColumns + `WHERE c.id = $1 AND c.expires_at > $2`)
	leftByToken = statement.Of(leftColumns + `JOIN users ON users.id = c.user_id WHERE c.token_hash = $1 AND c.expires_at > $2 AND ` + activeUser)
)

// findLeft returns the address that the statement finds for the value, if it can
// still be taken back: nil where there is none.
func (a *Addresses) findLeft(ctx context.Context, by statement.Statement, value any) (*leftAddress, error) {
	l := new(leftAddress)
	found, err := by.Row(ctx, a.DB, []any{&l.id, &l.user, &l.email, &l.seed, &l.hash, &l.created, &l.expires}, value, a.now())
	if err != nil {
		return nil, fmt.Errorf("find change of an address: %w", err)
	}
	if !found {
		return nil, nil
	}
	return l, nil
}

// offerToTakeBack writes the message to an address that was left, unless it is
// too late.
func (a *Addresses) offerToTakeBack(ctx context.Context, m mail.Message, id int64) (mail.Message, error) {
	left, err := a.findLeft(ctx, leftByID, id)
	if left == nil || err != nil {
		return m, err
	}
	token := a.takeBackToken(left)
	if token == "" {
		return m, fmt.Errorf("make token of change %d of an address: %w", id, errSealed)
	}
	m.To, m.Subject, m.Secrets = left.email, "Your e-mail address was changed", []string{token}
	m.Text = fmt.Sprintf(`Hello,

an account that had this e-mail address has another one now. If that was you,
there is nothing to do.

If it was not you, take the account back, until %s:

%s

This brings the old address back and ends every sign-in. The password is removed
unless you set a new one with it, and so is a second factor that is not old.
`, left.expires.UTC().Format(time.DateTime+" UTC"), link(a.TakeBackPage, token))
	return m, nil
}

// takeBackToken returns the token of a change, the same each time, empty where
// its key was dropped.
func (a *Addresses) takeBackToken(left *leftAddress) string {
	for _, mac := range a.Vault.macs(forTakeBack, string(left.seed)) {
		if token := hex.EncodeToString(mac); string(hashSecret(token)) == string(left.hash) {
			return token
		}
	}
	return ""
}
