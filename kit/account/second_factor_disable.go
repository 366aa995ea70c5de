package account

import (
	"context"
	"fmt"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// errFactorOff is the answer to what only a second factor that is on allows.
var errFactorOff = problem.New(problem.Conflict, "two-factor authentication is not enabled")

var disableText = statement.Of(`
	UPDATE credentials SET totp_enabled = false, totp_enabled_at = NULL, totp_secret = NULL, totp_pending = NULL, updated_at = now()
	WHERE id = $1`)

// Disable ends the caller's second factor, and its recovery codes with it.
func (f *SecondFactor) Disable(ctx context.Context, proof Proof, from Origin) error {
	caller, has, err := f.caller(ctx)
	if err != nil {
		return err
	}
	if !has.enabled {
		return errFactorOff
	}
	if err := f.confirm(ctx, caller, has, proof, from); err != nil {
		return err
	}
	return f.DB.InTx(ctx, func(ctx context.Context) error {
		if _, err := disableText.Exec(ctx, f.DB, has.id); err != nil {
			return fmt.Errorf("disable second factor of user %d: %w", caller.ID, err)
		}
		if _, err := forgetCodesText.Exec(ctx, f.DB, caller.ID); err != nil {
			return fmt.Errorf("remove recovery codes of user %d: %w", caller.ID, err)
		}
		return nil
	})
}

// RenewRecoveryCodes replaces the caller's recovery codes. The new ones are
// shown this once.
func (f *SecondFactor) RenewRecoveryCodes(ctx context.Context, proof Proof, from Origin) ([]string, error) {
	caller, has, err := f.caller(ctx)
	if err != nil {
		return nil, err
	}
	if !has.enabled {
		return nil, errFactorOff
	}
	if err := f.confirm(ctx, caller, has, proof, from); err != nil {
		return nil, err
	}
	var codes []string
	err = f.DB.InTx(ctx, func(ctx context.Context) error {
		codes, err = f.newRecoveryCodes(ctx, caller.ID)
		return err
	})
	return codes, err
}
