package account

import (
	"context"
	"fmt"
	"time"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/ent/user"
	"github.com/entwine-go/entwine/ent/verificationtoken"
	"github.com/entwine-go/entwine/ent/verifiedemail"
	"github.com/entwine-go/entwine/kit/mail"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/fold"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// VerificationLife is how long a token that verifies an address is good for.
const VerificationLife = 24 * time.Hour

// ErrUnverified says that a user has proven who they are and must verify their
// address before they are let in.
var ErrUnverified = problem.New(problem.Forbidden, "the e-mail address is not verified: take the token that was mailed to it to /auth/verify-email, or ask for another at /auth/resend-verification")

// Made asks a user who has just been created, in the context's transaction, to
// verify the address.
func (a *Addresses) Made(ctx context.Context, email string) error {
	if !a.Asks() {
		return nil
	}
	return a.Tell(viewer.With(ctx, viewer.System()), Notice{About: AboutVerification, To: email})
}

// Resend asks for another token to be sent to the address, if a user has it
// and has not verified it. What happens, and how long it takes, is the same
// either way. More than five an hour for an address are dropped, as silently.
func (a *Addresses) Resend(ctx context.Context, email string) error {
	if err := checkAddress(email); err != nil || !a.Asks() {
		return err
	}
	err := a.DB.InTx(ctx, func(ctx context.Context) error {
		if _, err := a.Factor.Throttle.count(ctx, fold.String(email), network{name: anyVerification}); err != nil {
			return err
		}
		return a.Made(ctx, email)
	})
	if problem.KindOf(err) == problem.RateLimited {
		return nil
	}
	return store.Problem(err)
}

// askToVerify writes the message with a token, unless no user is left to verify
// the address.
func (a *Addresses) askToVerify(ctx context.Context, m mail.Message) (mail.Message, error) {
	who, err := orm.Client(a.DB).User.Query().Where(user.EmailFold(fold.String(m.To)), user.IsActive(true)).Only(ctx)
	if ent.IsNotFound(err) {
		return m, nil
	}
	if err != nil {
		return m, fmt.Errorf("find user: %w", err)
	}
	if done, err := verified(ctx, a.DB, who); done || err != nil {
		return m, err
	}
	token := newResetToken()
	err = orm.Client(a.DB).VerificationToken.Create().SetUserID(who.ID).SetTokenHash(hashSecret(token)).
		SetCreatedAt(a.now()).SetExpiresAt(a.now().Add(VerificationLife)).Exec(ctx)
	if err != nil {
		return m, fmt.Errorf("create verification token of user %d: %w", who.ID, err)
	}
	m.To, m.Subject, m.Secrets = who.Email, "Verify your e-mail address", []string{token}
	m.Text = fmt.Sprintf(`Hello,

somebody, hopefully you, has an account with this e-mail address. Show within 24
hours that it is yours:

%s

If it was not you, there is nothing to do.
`, link(a.VerifyPage, token))
	return m, nil
}

// errVerificationToken is all that a client learns of a token that is no good.
var errVerificationToken = problem.Inputs(problem.Detail{Field: "token", Message: "is not valid, or has expired"})

// Verify verifies the address that the token was sent to, once. A token that
// is no good, also because the user has another address by now, is a bad input.
func (a *Addresses) Verify(ctx context.Context, token string) error {
	ctx = viewer.With(ctx, viewer.System())
	found, err := orm.Client(a.DB).VerificationToken.Query().
		Where(verificationtoken.TokenHash(hashSecret(token)), verificationtoken.RevokedAtIsNil(), verificationtoken.ExpiresAtGT(a.now())).
		WithUser(func(q *ent.UserQuery) { q.Where(user.IsActive(true)) }).Only(ctx)
	if ent.IsNotFound(err) || err == nil && found.Edges.User == nil {
		return errVerificationToken
	}
	if err != nil {
		return store.Problem(fmt.Errorf("find verification token: %w", err))
	}
	err = a.DB.InTx(ctx, func(ctx context.Context) error {
		email, err := hold(ctx, a.DB, found.UserID)
		if err != nil {
			return err
		}
		// Deleting the row claims the token, unless it was taken back meanwhile.
		n, err := orm.Client(a.DB).VerificationToken.Delete().
			Where(verificationtoken.ID(found.ID), verificationtoken.RevokedAtIsNil()).Exec(ctx)
		if err != nil {
			return err
		}
		if n == 0 {
			return errVerificationToken
		}
		if _, err := orm.Client(a.DB).VerificationToken.Delete().Where(verificationtoken.UserID(found.UserID)).Exec(ctx); err != nil {
			return err
		}
		return vouch(ctx, a.DB, found.UserID, email, verifiedemail.ProofMail, a.now())
	})
	if err != nil {
		return store.Problem(fmt.Errorf("verify address of user %d: %w", found.UserID, err))
	}
	return nil
}

// vouch notes that the user reads the mail of the address.
func vouch(ctx context.Context, db *store.DB, id typedid.UserID, email string, proof verifiedemail.Proof, now time.Time) error {
	ctx = viewer.With(ctx, viewer.System())
	client := orm.Client(db)
	err := db.InTx(ctx, func(ctx context.Context) error {
		if _, err := hold(ctx, db, id); err != nil {
			return err
		}
		n, err := client.VerifiedEmail.Update().Where(verifiedemail.UserID(id)).
			SetAddress(fold.String(email)).SetProof(proof).SetVerifiedAt(now).Save(ctx)
		if n > 0 || err != nil {
			return err
		}
		return client.VerifiedEmail.Create().SetUserID(id).
			SetAddress(fold.String(email)).SetProof(proof).SetVerifiedAt(now).Exec(ctx)
	})
	if err != nil {
		return fmt.Errorf("note verified address of user %d: %w", id, err)
	}
	return nil
}

// verified reports whether the user reads the mail of the address they have.
func verified(ctx context.Context, db *store.DB, who *ent.User) (bool, error) {
	is, err := orm.Client(db).VerifiedEmail.Query().
		Where(verifiedemail.UserID(who.ID), verifiedemail.Address(fold.String(who.Email))).Exist(viewer.With(ctx, viewer.System()))
	if err != nil {
		return false, fmt.Errorf("look up verified address of user %d: %w", who.ID, err)
	}
	return is, nil
}
