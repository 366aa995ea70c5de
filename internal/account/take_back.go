package account

import (
	"context"
	"fmt"
	"time"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/credential"
	"github.com/entwine-go/entwine/ent/emailchange"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/recoverycode"
	"github.com/entwine-go/entwine/ent/resettoken"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/ent/user"
	"github.com/entwine-go/entwine/ent/verifiedemail"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/schema"
)

// TakeBackLife is how long an address that was left can be taken back.
const TakeBackLife = 72 * time.Hour

// errTakeBackToken is all that a client learns of a token that is no good.
var errTakeBackToken = problem.Inputs(problem.Detail{Field: "token", Message: "is not valid, or has expired"})

// TakeBack gives a user the address back that the token was sent to, once. An
// intruder who has changed the address may have got hold of the rest as well,
// so every sign-in ends, the password is the new one or, where that is empty,
// none at all, and a second factor goes that was turned on after the change or
// within [TakeBackLife] before it. What addresses were left later can't be
// taken back any more: they may be the intruder's.
//
// A token that is no good is a bad input. Where another user has the address
// by now the error is of kind Duplicate, nothing has changed, and the token
// stays good.
func (a *Addresses) TakeBack(ctx context.Context, token, password string) error {
	ctx = viewer.With(ctx, viewer.System())
	if password != "" {
		if err := problem.Inputs(schema.CheckPassword("newPassword", password)...); err != nil {
			return err
		}
	}
	left, err := orm.Client(a.DB).EmailChange.Query().
		Where(emailchange.TokenHash(hashSecret(token)), emailchange.ExpiresAtGT(a.now())).
		WithUser(func(q *ent.UserQuery) { q.Where(user.IsActive(true)) }).Only(ctx)
	if ent.IsNotFound(err) || err == nil && left.Edges.User == nil {
		return errTakeBackToken
	}
	if err != nil {
		return store.Problem(fmt.Errorf("find change of an address: %w", err))
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
			left.ExpiresAt.UTC().Format(time.RFC3339))
	}
	if err != nil {
		return store.Problem(fmt.Errorf("take back address of user %d: %w", left.UserID, err))
	}
	return nil
}

// restore gives the user the address back, and ends what an intruder may have.
func (a *Addresses) restore(ctx context.Context, left *ent.EmailChange, hash string) error {
	id := left.UserID
	if _, err := hold(ctx, a.DB, id); err != nil {
		return err
	}
	client := orm.Client(a.DB)
	// Deleting the row claims the token: of two requests one succeeds.
	n, err := client.EmailChange.Delete().Where(emailchange.ID(left.ID)).Exec(ctx)
	if err != nil {
		return err
	}
	if n == 0 {
		return errTakeBackToken
	}
	if _, err := client.EmailChange.Delete().Where(emailchange.UserID(id), emailchange.IDGT(left.ID)).Exec(ctx); err != nil {
		return err
	}
	if err := client.User.UpdateOneID(id).SetEmail(left.OldEmail).AddVersion(1).Exec(ctx); err != nil {
		return err
	}
	if err := a.disarm(ctx, left, hash); err != nil {
		return err
	}
	if _, err := client.ResetToken.Delete().Where(resettoken.UserID(id)).Exec(ctx); err != nil {
		return err
	}
	if err := vouch(ctx, a.DB, id, left.OldEmail, verifiedemail.ProofMail, a.now()); err != nil {
		return err
	}
	if err := a.Factor.Throttle.forget(ctx, left.OldEmail); err != nil {
		return err
	}
	return a.Gate.EndAll(ctx, id, "take-back")
}

// disarm replaces or removes what the user signs in with.
func (a *Addresses) disarm(ctx context.Context, left *ent.EmailChange, hash string) error {
	client, id := orm.Client(a.DB), left.UserID
	if hash != "" {
		if err := setPassword(ctx, a.DB, id, hash, a.now()); err != nil {
			return err
		}
	} else if err := a.removePassword(ctx, id); err != nil {
		return err
	}
	n, err := client.Credential.Update().
		Where(credential.UserID(id), credential.TotpEnabled(true), credential.TotpEnabledAtGT(left.CreatedAt.Add(-TakeBackLife))).
		SetTotpEnabled(false).ClearTotpSecret().ClearTotpEnabledAt().Save(ctx)
	if err != nil {
		return err
	}
	if n > 0 {
		if _, err := client.RecoveryCode.Delete().Where(recoverycode.UserID(id)).Exec(ctx); err != nil {
			return err
		}
	}
	return client.Credential.Update().Where(credential.UserID(id)).ClearTotpPending().Exec(ctx)
}

func (a *Addresses) removePassword(ctx context.Context, id typedid.UserID) error {
	return orm.Client(a.DB).Credential.Update().Where(credential.UserID(id)).
		ClearPasswordHash().SetPasswordChangedAt(a.now()).Exec(ctx)
}
