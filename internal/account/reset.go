package account

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/credential"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/resettoken"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/ent/user"
	"github.com/entwine-go/entwine/ent/verifiedemail"
	"github.com/entwine-go/entwine/kit/mail"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/fold"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/schema"
)

// ResetLife is how long a reset token is good for.
const ResetLife = 30 * time.Minute

// Resetter lets users who have forgotten their password set a new one, by a
// token that only they read in their mail.
type Resetter struct {
	DB        *store.DB
	Passwords *Passwords
	Throttle  *Throttle
	Gate      *Gatekeeper
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

// anyAddress and anyVerification stand for the network address where asking
// for mail is counted: for an account, from wherever.
const (
	anyAddress      = "reset"
	anyVerification = "verification"
)

// Forgot asks for a reset token to be sent to the address, if a user has
// it. What happens, and how long it takes, is the same either way. More than
// five an hour for an address are dropped, as silently.
func (r *Resetter) Forgot(ctx context.Context, email string) error {
	if err := checkAddress(email); err != nil {
		return err
	}
	err := r.DB.InTx(ctx, func(ctx context.Context) error {
		if _, err := r.Throttle.count(ctx, fold.String(email), network{name: anyAddress}); err != nil {
			return err
		}
		return r.Ask(ctx, email)
	})
	if problem.KindOf(err) == problem.RateLimited {
		return nil
	}
	return store.Problem(err)
}

// Deliver sends a reset token to the address, if an active user has it. The
// id is the message's. After an error it can be tried again, with another
// token: what is stored of one does not tell it.
func (r *Resetter) Deliver(ctx context.Context, email, id string) error {
	ctx = viewer.With(ctx, viewer.System())
	who, err := orm.Client(r.DB).User.Query().Where(user.EmailFold(addressOf(email)), user.IsActive(true)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("find user: %w", err)
	}
	token := newResetToken()
	err = orm.Client(r.DB).ResetToken.Create().SetUserID(who.ID).SetTokenHash(hashSecret(token)).
		SetCreatedAt(r.now()).SetExpiresAt(r.now().Add(ResetLife)).Exec(ctx)
	if err != nil {
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
	b.WriteString("\nIf it was not you, there is nothing to do: your password stays as it is.\n")
	return b.String()
}

// errResetToken is all that a client learns of a token that is no good.
var errResetToken = problem.Inputs(problem.Detail{Field: "token", Message: "is not valid, or has expired"})

// Reset sets a new password for the user whom the token was sent to. The token is
// used up with it, and every sign-in of the user ends; their address is
// verified by it. A token that is no good is a bad input.
func (r *Resetter) Reset(ctx context.Context, token, password string) error {
	if err := problem.Inputs(schema.CheckPassword("newPassword", password)...); err != nil {
		return err
	}
	ctx = viewer.With(ctx, viewer.System())
	found, err := r.find(ctx, token)
	if err != nil {
		return err
	}
	hash, err := r.Passwords.Hash(ctx, password)
	if err != nil {
		return err
	}
	err = r.DB.InTx(ctx, func(ctx context.Context) error {
		email, err := hold(ctx, r.DB, found.UserID)
		if err != nil {
			return err
		}
		// Deleting the row claims the token, unless it was taken back meanwhile.
		n, err := orm.Client(r.DB).ResetToken.Delete().Where(resettoken.ID(found.ID), resettoken.RevokedAtIsNil()).Exec(ctx)
		if err != nil {
			return err
		}
		if n == 0 {
			return errResetToken
		}
		if err := vouch(ctx, r.DB, found.UserID, email, verifiedemail.ProofMail, r.now()); err != nil {
			return err
		}
		return r.replace(ctx, found.Edges.User, hash)
	})
	if err != nil {
		return store.Problem(fmt.Errorf("reset password of user %d: %w", found.UserID, err))
	}
	return nil
}

// Replace sets another password for a user, for an operator: every sign-in of
// the user ends, and the failures to sign in are forgotten.
func (r *Resetter) Replace(ctx context.Context, who *ent.User, password string) error {
	if err := problem.Inputs(schema.CheckPassword("password", password)...); err != nil {
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

// find returns the token's row, with its user.
func (r *Resetter) find(ctx context.Context, token string) (*ent.ResetToken, error) {
	found, err := orm.Client(r.DB).ResetToken.Query().
		Where(resettoken.TokenHash(hashSecret(token)), resettoken.RevokedAtIsNil(), resettoken.ExpiresAtGT(r.now())).
		WithUser(func(q *ent.UserQuery) { q.Where(user.IsActive(true)) }).Only(ctx)
	if ent.IsNotFound(err) || err == nil && found.Edges.User == nil {
		return nil, errResetToken
	}
	if err != nil {
		return nil, store.Problem(fmt.Errorf("find reset token: %w", err))
	}
	return found, nil
}

// replace sets the password, and ends what came before it: other tokens,
// sign-ins, and the failures that led here.
func (r *Resetter) replace(ctx context.Context, who *ent.User, hash string) error {
	if err := setPassword(ctx, r.DB, who.ID, hash, r.now()); err != nil {
		return err
	}
	if _, err := orm.Client(r.DB).ResetToken.Delete().Where(resettoken.UserID(who.ID)).Exec(ctx); err != nil {
		return err
	}
	if err := r.Throttle.forget(ctx, who.Email); err != nil {
		return err
	}
	return r.Gate.EndAll(ctx, who.ID, "password")
}

// setPassword stores the hash for the user, who may have had no password.
func setPassword(ctx context.Context, db *store.DB, id typedid.UserID, hash string, now time.Time) error {
	client := orm.Client(db)
	n, err := client.Credential.Update().Where(credential.UserID(id)).
		SetPasswordHash(hash).SetPasswordChangedAt(now).Save(ctx)
	if n > 0 || err != nil {
		return err
	}
	return client.Credential.Create().SetUserID(id).SetPasswordHash(hash).SetPasswordChangedAt(now).Exec(ctx)
}

func (r *Resetter) now() time.Time {
	if r.Now != nil {
		return store.Time(r.Now())
	}
	return store.Time(time.Now())
}
