package account

import (
	"context"
	"fmt"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/credential"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Enrolment is what an authenticator app needs.
type Enrolment struct {
	// Secret is for typing in, in base32.
	Secret string
	// Picture is for scanning: a PNG as a data URL.
	Picture string
}

// Setup begins a second factor for the caller. It counts once [SecondFactor.Verify]
// has seen a code of it; until then what there was stays. Where there is a
// second factor already the caller proves both.
func (f *SecondFactor) Setup(ctx context.Context, proof Proof, from Origin) (*Enrolment, error) {
	caller, has, err := f.caller(ctx)
	if err != nil {
		return nil, err
	}
	ctx = viewer.With(ctx, viewer.System())
	if has.TotpEnabled {
		if err := f.confirm(ctx, caller, has, proof, from); err != nil {
			return nil, err
		}
	}
	secret := newCodeSecret()
	picture, err := qrCode(codeURL(f.Service, caller.Email, secret))
	if err != nil {
		return nil, err
	}
	if err := f.setPending(ctx, caller.ID, f.Vault.seal(forSecondFactor, int64(caller.ID), secret)); err != nil {
		return nil, fmt.Errorf("set up second factor of user %d: %w", caller.ID, err)
	}
	return &Enrolment{Secret: codeText.EncodeToString(secret), Picture: picture}, nil
}

// setPending stores the secret for the user, who may have no credential yet.
func (f *SecondFactor) setPending(ctx context.Context, user typedid.UserID, sealed []byte) error {
	client := orm.Client(f.DB)
	update := client.Credential.Update().Where(credential.UserID(user)).SetTotpPending(sealed)
	if n, err := update.Save(ctx); n > 0 || err != nil {
		return err
	}
	err := client.Credential.Create().SetUserID(user).SetTotpPending(sealed).Exec(ctx)
	if store.IsUnique(err) { // made by a request beside this one
		_, err = update.Save(ctx)
	}
	return err
}

// Verify ends the setup with a code of the new secret, and returns the
// recovery codes, which are shown this once. A wrong code is a bad input; a
// second factor that is not being set up is of kind Conflict.
func (f *SecondFactor) Verify(ctx context.Context, code string, from Origin) ([]string, error) {
	caller, has, err := f.caller(ctx)
	if err != nil {
		return nil, err
	}
	if has.TotpPending == nil {
		return nil, problem.New(problem.Conflict, "no second factor is being set up: begin with /auth/2fa/setup")
	}
	ctx = viewer.With(ctx, viewer.System())
	var codes []string
	err = f.Throttle.try(ctx, caller.Email, from.Address, func() error {
		step, err := f.step(caller.ID, has.TotpPending, plainCode(code))
		if err != nil {
			return err
		}
		if step == 0 {
			return errCode
		}
		return f.DB.InTx(ctx, func(ctx context.Context) error {
			codes, err = f.enable(ctx, has, step)
			return err
		})
	})
	return codes, err
}

// errCode is the answer to a code that does not end the setup.
var errCode = problem.Inputs(problem.Detail{Field: "token", Message: "is not a valid one-time code"})

// enable makes the pending secret the second factor, if nobody else has.
func (f *SecondFactor) enable(ctx context.Context, has *ent.Credential, step int64) ([]string, error) {
	n, err := orm.Client(f.DB).Credential.Update().
		Where(credential.ID(has.ID), credential.TotpPending(has.TotpPending)).
		SetTotpSecret(has.TotpPending).ClearTotpPending().SetTotpEnabled(true).SetTotpEnabledAt(f.now()).SetTotpLastStep(step).Save(ctx)
	if err != nil {
		return nil, fmt.Errorf("enable second factor of user %d: %w", has.UserID, err)
	}
	if n == 0 {
		return nil, errCode
	}
	return f.newRecoveryCodes(ctx, has.UserID)
}

// caller returns the user who calls, and what they sign in with.
func (f *SecondFactor) caller(ctx context.Context) (*ent.User, *ent.Credential, error) {
	id, err := self(ctx)
	if err != nil {
		return nil, nil, err
	}
	ctx = viewer.With(ctx, viewer.System())
	who, err := orm.Client(f.DB).User.Get(ctx, id)
	if err != nil {
		return nil, nil, store.Problem(fmt.Errorf("find user %d: %w", id, err))
	}
	has, err := f.credential(ctx, id)
	return who, has, err
}
