package account

import (
	"context"
	"fmt"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// Enrolment has the secret and the URL for an authenticator app.
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
	if has.enabled {
		if err := f.confirm(ctx, caller, has, proof, from); err != nil {
			return nil, err
		}
	}
	secret := newCodeSecret()
	picture, err := qrCode(codeURL(f.Service, caller.Email, secret))
	if err != nil {
		return nil, err
	}
	if err := f.setPending(ctx, caller.ID, f.Vault.seal(forSecondFactor, caller.ID, secret)); err != nil {
		return nil, fmt.Errorf("set up second factor of user %d: %w", caller.ID, err)
	}
	return &Enrolment{Secret: codeText.EncodeToString(secret), Picture: picture}, nil
}

var setPendingText = statement.Of(`
	INSERT INTO credentials (created_at, updated_at, user_id, totp_pending, totp_enabled, totp_last_step)
	VALUES (now(), now(), $1, $2, false, 0)
	ON CONFLICT (user_id) DO UPDATE SET totp_pending = excluded.totp_pending, updated_at = excluded.updated_at`)

// setPending stores the secret for the user, who may have no credential yet.
func (f *SecondFactor) setPending(ctx context.Context, user int64, sealed []byte) error {
	_, err := setPendingText.Exec(ctx, f.DB, user, sealed)
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
	if has.pending == nil {
		return nil, problem.New(problem.Conflict, "no second factor is being set up: begin with /auth/2fa/setup")
	}
	var codes []string
	err = f.Throttle.try(ctx, caller.Email, from, func() error {
		step, err := f.step(caller.ID, has.pending, plainCode(code))
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

var enableText = statement.Of(`
	UPDATE credentials SET totp_secret = totp_pending, totp_pending = NULL, totp_enabled = true,
		totp_enabled_at = $3, totp_last_step = $4, updated_at = now()
	WHERE id = $1 AND totp_pending = $2`)

// enable makes the pending secret the second factor, unless another request has done so.
func (f *SecondFactor) enable(ctx context.Context, has *credential, step int64) ([]string, error) {
	n, err := enableText.Exec(ctx, f.DB, has.id, has.pending, f.now(), step)
	if err != nil {
		return nil, fmt.Errorf("enable second factor of user %d: %w", has.user, err)
	}
	if n == 0 {
		return nil, errCode
	}
	return f.newRecoveryCodes(ctx, has.user)
}

// caller returns the user who calls, and what they sign in with.
func (f *SecondFactor) caller(ctx context.Context) (*User, *credential, error) {
	id, err := self(ctx)
	if err != nil {
		return nil, nil, err
	}
	who, err := findUser(ctx, f.DB, userByID, id)
	if err != nil {
		return nil, nil, store.Problem(err)
	}
	if who == nil {
		return nil, nil, problem.New(problem.NotFound, "not found")
	}
	has, err := credentialOf(ctx, f.DB, id)
	return who, has, err
}
