package account

import (
	"context"
	"fmt"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
)

var changePasswordText = statement.Of(`
	UPDATE credentials SET password_hash = $3, password_changed_at = $4, updated_at = now() WHERE id = $1 AND password_hash = $2`)

// ChangePassword sets another password for the caller, who has to send the old
// one. A wrong one counts as a failure to sign in. All other sign-ins of the user
// end, and reset tokens are no good any more; the sign-in that was used goes on.
// The user gets a mail.
func (a *Addresses) ChangePassword(ctx context.Context, old, password string, from Origin) error {
	caller, has, err := a.Factor.caller(ctx)
	if err != nil {
		return err
	}
	if err := problem.Inputs(expose.CheckPassword("newPassword", password)...); err != nil {
		return err
	}
	asked, ctx := ctx, viewer.With(ctx, viewer.AcrossTenants())
	if err := a.Factor.know(ctx, caller, has, old, from); err != nil {
		return err
	}
	hash, err := a.Factor.Passwords.Hash(ctx, password)
	if err != nil {
		return err
	}
	current := viewer.From(asked).SessionID
	err = a.DB.InTx(ctx, func(ctx context.Context) error {
		email, err := hold(ctx, a.DB, caller.ID)
		if err != nil {
			return err
		}
		// Of two who know the old one at the same time one does by now.
		n, err := changePasswordText.Exec(ctx, a.DB, has.id, *has.password, hash, a.now())
		if err != nil {
			return err
		}
		if n == 0 {
			return errPassword
		}
		if _, err := forgetResetsText.Exec(ctx, a.DB, caller.ID); err != nil {
			return err
		}
		if err := a.Gate.endOthers(ctx, caller.ID, current, "password"); err != nil {
			return err
		}
		return a.Tell(ctx, Notice{About: AboutPassword, To: email})
	})
	if err != nil {
		return store.Problem(fmt.Errorf("change password of user %d: %w", caller.ID, err))
	}
	return nil
}
