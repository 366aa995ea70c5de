package account

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/fold"
	"github.com/entwine-go/entwine/kit/mail"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
)

// ResetLife is how long a reset token is good for.
const ResetLife = 30 * time.Minute

// Resetter lets users who have forgotten their password set a new one, by a
// token that only they read in their mail.
type Resetter struct {
	DB        *store.DB   // where users and tokens are
	Passwords *Passwords  // hashes the new password
	Throttle  *Throttle   // limits how often it can be asked for
	Gate      *Gatekeeper // ends the sign-ins of before
	// Ask has [Resetter.Deliver] called later, once the context's transaction
	// has committed: it must not tell by the time it takes whether there is
	// such a user.
	Ask func(ctx context.Context, email string) error
	// Mail sends the token.
	Mail mail.Sender
	// Page is the front-end page that takes the token (?token=) and asks for
	// the new password. Without one the mail has the token alone.
	Page string
	// Now is the time, time.Now where it is nil.
	Now func() time.Time
}

// Forgot asks for a reset token to be sent to the address, if a user has it.
// Effect and duration are the same either way. More than five an hour for an
// address are dropped, as silently.
func (r *Resetter) Forgot(ctx context.Context, email string) error {
	if err := checkAddress(email); err != nil {
		return err
	}
	err := r.DB.InTx(ctx, func(ctx context.Context) error {
		if _, _, err := r.Throttle.count(ctx, fold.String(email), network{name: anyAddress}); err != nil {
			return err
		}
		return r.Ask(ctx, email)
	})
	if problem.KindOf(err) == problem.RateLimited {
		return nil
	}
	return store.Problem(err)
}

var createResetText = statement.Of(`INSERT INTO reset_tokens (user_id, token_hash, created_at, expires_at) VALUES ($1, $2, $3, $4)`)

// Deliver sends a reset token to the address, if an active user has it. The id is
// the message's. After an error it can be tried again, with another token: a
// stored hash does not reveal its token.
func (r *Resetter) Deliver(ctx context.Context, email, id string) error {
	ctx = viewer.With(ctx, viewer.AcrossTenants())
	who, err := findUser(ctx, r.DB, userByAddress, addressOf(email))
	if who == nil || !who.Active || err != nil {
		return err
	}
	token := newResetToken()
	if _, err := createResetText.Exec(ctx, r.DB, who.ID, hashSecret(token), r.now(), r.now().Add(ResetLife)); err != nil {
		return fmt.Errorf("create reset token of user %d: %w", who.ID, err)
	}
	// To the address that the account has, not the one that the request names.
	return r.Mail.Send(ctx, mail.Message{
		ID: id, Date: r.now(), To: who.Email, Subject: "Set a new password", Text: r.text(token), Secrets: []string{token},
	})
}

// newResetToken returns 32 random bytes in hex.
func newResetToken() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// text repeats nothing that a user chose: who registers another's address could
// write to them by the name.
func (r *Resetter) text(token string) string {
	var b strings.Builder
	b.WriteString("Hello,\n\nsomebody, hopefully you, has asked for a new password for your account.\n")
	if r.Page != "" {
		fmt.Fprintf(&b, "Set one here, within 30 minutes:\n\n%s?%s\n", r.Page, url.Values{"token": {token}}.Encode())
	} else {
		fmt.Fprintf(&b, "Set one within 30 minutes by means of this token:\n\n%s\n", token)
	}
	b.WriteString("\nIf it was not you, you need not do anything: your password stays the same.\n")
	return b.String()
}

// errResetToken is all that a client learns of a token that is no good.
var errResetToken = problem.Inputs(problem.Detail{Field: "token", Message: "is not valid, or has expired"})

var (
	resetText = statement.Of(`
		SELECT t.id, ` + userColumns + ` FROM reset_tokens AS t JOIN users ON users.id = t.user_id
		WHERE t.token_hash = $1 AND t.revoked_at IS NULL AND t.expires_at > $2 AND ` + activeUser)
	claimResetText   = statement.Of(`DELETE FROM reset_tokens WHERE id = $1 AND revoked_at IS NULL`)
	forgetResetsText = statement.Of(`DELETE FROM reset_tokens WHERE user_id = $1`)
)

// Reset sets a new password for the user whom the token was sent to. The token is
// used up with it, and every sign-in of the user ends; their address is
// verified by it. A token that is no good is a bad input.
func (r *Resetter) Reset(ctx context.Context, token, password string) error {
	if err := problem.Inputs(expose.CheckPassword("newPassword", password)...); err != nil {
		return err
	}
	id, who, err := r.find(ctx, token)
	if err != nil {
		return err
	}
	hash, err := r.Passwords.Hash(ctx, password)
	if err != nil {
		return err
	}
	err = r.DB.InTx(ctx, func(ctx context.Context) error {
		email, err := hold(ctx, r.DB, who.ID)
		if err != nil {
			return err
		}
		// Deleting the row claims the token, unless it was taken back meanwhile.
		n, err := claimResetText.Exec(ctx, r.DB, id)
		if err != nil {
			return err
		}
		if n == 0 {
			return errResetToken
		}
		if err := vouch(ctx, r.DB, who.ID, email, proofMail, r.now()); err != nil {
			return err
		}
		return r.replace(ctx, who, hash)
	})
	if err != nil {
		return store.Problem(fmt.Errorf("reset password of user %d: %w", who.ID, err))
	}
	return nil
}

// Replace sets another password for a user, for an operator: every sign-in of
// the user ends, and the failures to sign in are forgotten.
func (r *Resetter) Replace(ctx context.Context, who *User, password string) error {
	if err := problem.Inputs(expose.CheckPassword("password", password)...); err != nil {
		return err
	}
	hash, err := r.Passwords.Hash(ctx, password)
	if err != nil {
		return err
	}
	err = r.DB.InTx(ctx, func(ctx context.Context) error { return r.replace(ctx, who, hash) })
	if err != nil {
		return store.Problem(fmt.Errorf("set password of user %d: %w", who.ID, err))
	}
	return nil
}

// find returns the token's row, and its user.
func (r *Resetter) find(ctx context.Context, token string) (id int64, who *User, err error) {
	who = new(User)
	found, err := resetText.Row(ctx, r.DB, append([]any{&id}, who.columns()...), hashSecret(token), r.now())
	if err != nil {
		return 0, nil, store.Problem(fmt.Errorf("find reset token: %w", err))
	}
	if !found {
		return 0, nil, errResetToken
	}
	return id, who, nil
}

// replace sets the password, and ends what came before it: other tokens,
// sign-ins, and the failures that led here.
func (r *Resetter) replace(ctx context.Context, who *User, hash string) error {
	if err := setPassword(ctx, r.DB, who.ID, hash, r.now()); err != nil {
		return err
	}
	if _, err := forgetResetsText.Exec(ctx, r.DB, who.ID); err != nil {
		return err
	}
	if err := r.Throttle.forget(ctx, who.Email); err != nil {
		return err
	}
	return r.Gate.EndAll(ctx, who.ID, "password")
}

func (r *Resetter) now() time.Time {
	if r.Now != nil {
		return store.Time(r.Now())
	}
	return store.Time(time.Now())
}
