package account

import (
	"context"
	"fmt"
	"time"

	"github.com/entwine-go/entwine/kit/fold"
	"github.com/entwine-go/entwine/kit/mail"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
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
	return a.Tell(viewer.With(ctx, viewer.AcrossTenants()), Notice{About: AboutVerification, To: email})
}

// Resend asks for another token to be sent to the address, if a user has it and
// has not verified it. Effect and duration are the same either way. More than five
// an hour for an address are dropped, as silently.
func (a *Addresses) Resend(ctx context.Context, email string) error {
	if err := checkAddress(email); err != nil || !a.Asks() {
		return err
	}
	err := a.DB.InTx(ctx, func(ctx context.Context) error {
		if _, _, err := a.Factor.Throttle.count(ctx, fold.String(email), network{name: anyVerification}); err != nil {
			return err
		}
		return a.Made(ctx, email)
	})
	if problem.KindOf(err) == problem.RateLimited {
		return nil
	}
	return store.Problem(err)
}

var createVerificationText = statement.Of(`
	INSERT INTO verification_tokens (user_id, token_hash, created_at, expires_at) VALUES ($1, $2, $3, $4)`)

// askToVerify writes the message with a token, unless no user is left to verify
// the address.
func (a *Addresses) askToVerify(ctx context.Context, m mail.Message) (mail.Message, error) {
	who, err := findUser(ctx, a.DB, userByAddress, fold.String(m.To))
	if who == nil || !who.Active || err != nil {
		return m, err
	}
	if done, err := verified(ctx, a.DB, who); done || err != nil {
		return m, err
	}
	token := newResetToken()
	_, err = createVerificationText.Exec(ctx, a.DB, who.ID, hashSecret(token), a.now(), a.now().Add(VerificationLife))
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

var (
	verificationText = statement.Of(`
		SELECT t.id, t.user_id FROM verification_tokens AS t JOIN users ON users.id = t.user_id
		WHERE t.token_hash = $1 AND t.revoked_at IS NULL AND t.expires_at > $2 AND ` + activeUser)
	claimVerificationText   = statement.Of(`DELETE FROM verification_tokens WHERE id = $1 AND revoked_at IS NULL`)
	forgetVerificationsText = statement.Of(`DELETE FROM verification_tokens WHERE user_id = $1`)
)

// Verify verifies the address that the token was sent to, once. A token that
// is no good, also because the user has another address by now, is a bad input.
func (a *Addresses) Verify(ctx context.Context, token string) error {
	var id, user int64
	found, err := verificationText.Row(ctx, a.DB, []any{&id, &user}, hashSecret(token), a.now())
	if err != nil {
		return store.Problem(fmt.Errorf("find verification token: %w", err))
	}
	if !found {
		return errVerificationToken
	}
	err = a.DB.InTx(ctx, func(ctx context.Context) error {
		email, err := hold(ctx, a.DB, user)
		if err != nil {
			return err
		}
		// Deleting the row claims the token, unless it was taken back meanwhile.
		n, err := claimVerificationText.Exec(ctx, a.DB, id)
		if err != nil {
			return err
		}
		if n == 0 {
			return errVerificationToken
		}
		if _, err := forgetVerificationsText.Exec(ctx, a.DB, user); err != nil {
			return err
		}
		return vouch(ctx, a.DB, user, email, proofMail, a.now())
	})
	if err != nil {
		return store.Problem(fmt.Errorf("verify address of user %d: %w", user, err))
	}
	return nil
}

// The ways in which it is known that a user reads the mail of an address.
const (
	proofMail     = "mail"     // by a token that was mailed
	proofProvider = "provider" // from an identity provider
	proofOperator = "operator" // because an operator says so
)

var vouchText = statement.Of(`
	INSERT INTO verified_emails (created_at, user_id, address, proof, verified_at) VALUES (now(), $1, $2, $3, $4)
	ON CONFLICT (user_id) DO UPDATE SET address = excluded.address, proof = excluded.proof, verified_at = excluded.verified_at`)

// vouch notes that the user reads the mail of the address.
func vouch(ctx context.Context, db *store.DB, id int64, email, proof string, now time.Time) error {
	err := db.InTx(ctx, func(ctx context.Context) error {
		// Others hold the user before they vouch: in the other order each could wait for the other.
		if _, err := hold(ctx, db, id); err != nil {
			return err
		}
		_, err := vouchText.Exec(ctx, db, id, fold.String(email), proof, now)
		return err
	})
	if err != nil {
		return fmt.Errorf("note verified address of user %d: %w", id, err)
	}
	return nil
}

var verifiedText = statement.Of(`SELECT 1 FROM verified_emails WHERE user_id = $1 AND address = $2`)

// verified reports whether the user reads the mail of the address they have.
func verified(ctx context.Context, db *store.DB, who *User) (bool, error) {
	var one int
	is, err := verifiedText.Row(ctx, db, []any{&one}, who.ID, fold.String(who.Email))
	if err != nil {
		return false, fmt.Errorf("look up verified address of user %d: %w", who.ID, err)
	}
	return is, nil
}
