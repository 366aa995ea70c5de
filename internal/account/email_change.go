package account

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/emailchange"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/kit/mail"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/fold"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// maxChanges is how often users may change their own address within an hour:
// each change writes to somebody.
const maxChanges = 5

// Confirm makes sure that it is the caller who changes their own address, by
// their password, where that is asked for. It takes long, so it is called
// before there is a transaction. An admin who changes another's is not asked.
func (a *Addresses) Confirm(ctx context.Context, id typedid.UserID, email, password, field string, from Origin) error {
	if !a.AskPassword || viewer.From(ctx).UserID != int64(id) {
		return nil
	}
	caller, has, err := a.Factor.caller(ctx)
	if err != nil || fold.String(caller.Email) == fold.String(email) {
		return err
	}
	if password == "" {
		return problem.Inputs(problem.Invalidf(field, nil, "is required for another e-mail address"))
	}
	return a.Factor.know(viewer.With(ctx, viewer.System()), caller, has, password, from)
}

// errNoPassword is the answer to what only a password proves.
var errNoPassword = problem.New(problem.Conflict, "this account has no password yet: ask for one at /auth/forgot-password")

// know makes sure that it is the user who asks, by their password alone.
// Attempts count with those to sign in.
func (f *SecondFactor) know(ctx context.Context, who *ent.User, has *ent.Credential, password string, from Origin) error {
	if has.PasswordHash == nil {
		return errNoPassword
	}
	return f.Throttle.try(ctx, who.Email, from.Address, func() error {
		matches, err := f.Passwords.Matches(ctx, *has.PasswordHash, password)
		if err == nil && !matches {
			return errPassword
		}
		return err
	})
}

var errPassword = problem.New(problem.InvalidCredentials, "the password is wrong")

// Change makes a change of a user in a transaction. Where the user has another
// address afterwards, the old one is told, and can be taken back.
func (a *Addresses) Change(ctx context.Context, id typedid.UserID, change func(ctx context.Context) error) error {
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

// leave notes that a user has left an address, and has it told.
func (a *Addresses) leave(ctx context.Context, id typedid.UserID, email string) error {
	own := viewer.From(ctx).UserID == int64(id)
	ctx = viewer.With(ctx, viewer.System())
	client := orm.Client(a.DB)
	if own {
		last, err := client.EmailChange.Query().
			Where(emailchange.UserID(id), emailchange.CreatedAtGT(a.now().Add(-failureWindow))).
			Order(ent.Desc(emailchange.FieldID)).Limit(maxChanges).All(ctx)
		if err != nil {
			return err
		}
		if len(last) == maxChanges {
			over := problem.New(problem.RateLimited, "the e-mail address was changed %d times within an hour: try again later", maxChanges)
			over.RetryAfter = last[maxChanges-1].CreatedAt.Add(failureWindow).Sub(a.now())
			return over
		}
	}
	seed := make([]byte, secretLen)
	_, _ = rand.Read(seed) // never fails
	made, err := client.EmailChange.Create().SetUserID(id).SetOldEmail(email).
		SetSeed(seed).SetTokenHash(hashSecret(hex.EncodeToString(a.Vault.mac(forTakeBack, string(seed))))).
		SetCreatedAt(a.now()).SetExpiresAt(a.now().Add(TakeBackLife)).Save(ctx)
	if err != nil {
		return err
	}
	return a.Tell(ctx, Notice{About: AboutChange, Change: int64(made.ID)})
}

// offerToTakeBack writes the message to an address that was left, unless it is
// too late.
func (a *Addresses) offerToTakeBack(ctx context.Context, m mail.Message, id typedid.EmailChangeID) (mail.Message, error) {
	left, err := orm.Client(a.DB).EmailChange.Query().Where(emailchange.ID(id), emailchange.ExpiresAtGT(a.now())).Only(ctx)
	if ent.IsNotFound(err) {
		return m, nil
	}
	if err != nil {
		return m, fmt.Errorf("find change %d of an address: %w", id, err)
	}
	token := a.takeBackToken(left)
	if token == "" {
		return m, fmt.Errorf("make token of change %d of an address: %w", id, errSealed)
	}
	m.To, m.Subject, m.Secrets = left.OldEmail, "Your e-mail address was changed", []string{token}
	m.Text = fmt.Sprintf(`Hello,

an account that had this e-mail address has another one now. If that was you,
there is nothing to do.

If it was not you, take the account back, until %s:

%s

This brings the old address back and ends every sign-in. The password is removed
unless you set a new one with it, and so is a second factor that is not old.
`, left.ExpiresAt.UTC().Format(time.DateTime+" UTC"), link(a.TakeBackPage, token))
	return m, nil
}

// takeBackToken returns the token of a change, the same each time, empty where
// its key was dropped.
func (a *Addresses) takeBackToken(left *ent.EmailChange) string {
	for _, mac := range a.Vault.macs(forTakeBack, string(left.Seed)) {
		if token := hex.EncodeToString(mac); string(hashSecret(token)) == string(left.TokenHash) {
			return token
		}
	}
	return ""
}
