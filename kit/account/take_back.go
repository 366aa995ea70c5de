package account

import (
	"context"
	"fmt"
	"time"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
)

// TakeBackLife is how long an address that was left can be taken back.
const TakeBackLife = 72 * time.Hour

// errTakeBackToken is all that a client learns of a token that is no good.
var errTakeBackToken = problem.Inputs(problem.Detail{Field: "token", Message: "is not valid, or has expired"})

// TakeBack gives a user the address back that the token was sent to, once. An
// intruder who has changed the address may have got hold of the rest as well. So
// every sign-in ends. The password is replaced by the new one, or removed where
// that is empty. A second factor is removed that was turned on after the change or
// within [TakeBackLife] before it. Addresses that were left later can't be taken
// back any more: they may be the intruder's.
//
// A token that is no good is a bad input. Where another user has the address
// by now the error is of kind Duplicate, nothing has changed, and the token
// stays good.
func (a *Addresses) TakeBack(ctx context.Context, token, password string) error {
	ctx = viewer.With(ctx, viewer.AcrossTenants())
	if password != "" {
		if err := problem.Inputs(expose.CheckPassword("newPassword", password)...); err != nil {
			return err
		}
	}
	left, err := a.findLeft(ctx, leftByToken, hashSecret(token))
	if err != nil {
		return store.Problem(err)
	}
	if left == nil {
		return errTakeBackToken
	}
	hash := ""
	if password != "" {
		if hash, err = a.Factor.Passwords.Hash(ctx, password); err != nil {
			return err
		}
	}
	err = a.DB.InTx(ctx, func(ctx context.Context) error { return a.restore(ctx, left, hash) })
	if store.IsUnique(err) {
		return problem.Wrap(err, problem.Duplicate, "another user has the e-mail address by now, so nothing was changed: ask an admin to free it, and take it back with the same token until %s",
			left.expires.UTC().Format(time.RFC3339))
	}
	if err != nil {
		return store.Problem(fmt.Errorf("take back address of user %d: %w", left.user, err))
	}
	return nil
}

var (
	claimLeftText  = statement.Of(`DELETE FROM email_changes WHERE id = $1`)
	forgetLeftText = statement.Of(`DELETE FROM email_changes WHERE user_id = $1 AND id > $2`)
)

// restore gives the user the address back, and ends what an intruder may have.
func (a *Addresses) restore(ctx context.Context, left *leftAddress, hash string) error {
	id := left.user
	if _, err := hold(ctx, a.DB, id); err != nil {
		return err
	}
	// Deleting the row claims the token: of two requests one succeeds.
	n, err := claimLeftText.Exec(ctx, a.DB, left.id)
	if err != nil {
		return err
	}
	if n == 0 {
		return errTakeBackToken
	}
	if _, err := forgetLeftText.Exec(ctx, a.DB, id, left.id); err != nil {
		return err
	}
	there, err := a.Users.set(ctx, id, "email", left.email)
	if err != nil {
		return err
	}
	if !there { // deleted meanwhile
		return errTakeBackToken
	}
	if err := a.disarm(ctx, left, hash); err != nil {
		return err
	}
	if _, err := forgetResetsText.Exec(ctx, a.DB, id); err != nil {
		return err
	}
	if err := vouch(ctx, a.DB, id, left.email, proofMail, a.now()); err != nil {
		return err
	}
	if err := a.Factor.Throttle.forget(ctx, left.email); err != nil {
		return err
	}
	return a.Gate.EndAll(ctx, id, "take-back")
}

var (
	removePasswordText = statement.Of(`
		UPDATE credentials SET password_hash = NULL, password_changed_at = $2, updated_at = now() WHERE user_id = $1`)
	removeFactorText = statement.Of(`
		UPDATE credentials SET totp_enabled = false, totp_secret = NULL, totp_enabled_at = NULL, updated_at = now()
		WHERE user_id = $1 AND totp_enabled AND totp_enabled_at > $2`)
	removePendingText = statement.Of(`UPDATE credentials SET totp_pending = NULL, updated_at = now() WHERE user_id = $1`)
)

// disarm replaces or removes what the user signs in with.
func (a *Addresses) disarm(ctx context.Context, left *leftAddress, hash string) error {
	if hash != "" {
		if err := setPassword(ctx, a.DB, left.user, hash, a.now()); err != nil {
			return err
		}
	} else if _, err := removePasswordText.Exec(ctx, a.DB, left.user, a.now()); err != nil {
		return err
	}
	n, err := removeFactorText.Exec(ctx, a.DB, left.user, left.created.Add(-TakeBackLife))
	if err != nil {
		return err
	}
	if n > 0 {
		if _, err := forgetCodesText.Exec(ctx, a.DB, left.user); err != nil {
			return err
		}
	}
	_, err = removePendingText.Exec(ctx, a.DB, left.user)
	return err
}
