package account

import (
	"context"
	"fmt"

	"github.com/entwine-go/entwine/ent/credential"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/recoverycode"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

// errFactorOff is the answer to what only a second factor that is on allows.
var errFactorOff = problem.New(problem.Conflict, "two-factor authentication is not enabled")

// Disable ends the caller's second factor, and its recovery codes with it.
func (f *SecondFactor) Disable(ctx context.Context, proof Proof, from Origin) error {
	caller, has, err := f.caller(ctx)
	if err != nil {
		return err
	}
	if !has.TotpEnabled {
		return errFactorOff
	}
	ctx = viewer.With(ctx, viewer.System())
	if err := f.confirm(ctx, caller, has, proof, from); err != nil {
		return err
	}
	return f.DB.InTx(ctx, func(ctx context.Context) error {
		client := orm.Client(f.DB)
		err := client.Credential.Update().Where(credential.ID(has.ID)).
			SetTotpEnabled(false).ClearTotpEnabledAt().ClearTotpSecret().ClearTotpPending().Exec(ctx)
		if err != nil {
			return fmt.Errorf("disable second factor of user %d: %w", caller.ID, err)
		}
		_, err = client.RecoveryCode.Delete().Where(recoverycode.UserID(caller.ID)).Exec(ctx)
		if err != nil {
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
	if !has.TotpEnabled {
		return nil, errFactorOff
	}
	ctx = viewer.With(ctx, viewer.System())
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
