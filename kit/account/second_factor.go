package account

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// SecondFactor asks for a one-time code beside the password. Secrets are
// stored encrypted, and no code is accepted twice.
//
//	off -Setup-> pending -Verify-> on -Disable-> off
//	             on -Setup-> on, and another pending -Verify-> on
type SecondFactor struct {
	DB        *store.DB  // where secrets and recovery codes are
	Vault     *Vault     // encrypts the secrets
	Passwords *Passwords // compares the password of a [Proof]
	Throttle  *Throttle  // limits failures
	// Service is the name of this service in authenticator apps.
	Service string
	// Now is the time, time.Now where it is nil.
	Now func() time.Time
}

// Proof has the credentials that a user shows again before an operation that an
// intruder with their token must not do.
type Proof struct {
	Password string // in the clear
	// Code is a one-time code or a recovery code.
	Code string
}

// FactorState is the state of a second factor, for its user.
type FactorState struct {
	Enabled bool // whether signing in takes a code
	// RecoveryCodes is how many have not been used.
	RecoveryCodes int
}

var codesLeftText = statement.Of(`SELECT count(*) FROM recovery_codes WHERE user_id = $1 AND used_at IS NULL`)

// State returns the caller's.
func (f *SecondFactor) State(ctx context.Context) (FactorState, error) {
	caller, err := self(ctx)
	if err != nil {
		return FactorState{}, err
	}
	has, err := credentialOf(ctx, f.DB, caller)
	if err != nil || !has.enabled {
		return FactorState{}, err
	}
	state := FactorState{Enabled: true}
	if _, err := codesLeftText.Row(ctx, f.DB, []any{&state.RecoveryCodes}, caller); err != nil {
		return FactorState{}, fmt.Errorf("count recovery codes of user %d: %w", caller, err)
	}
	return state, nil
}

var acceptText = statement.Of(`
	UPDATE credentials SET totp_last_step = $2, updated_at = now() WHERE id = $1 AND totp_enabled AND totp_last_step < $2`)

// accept reports whether the code is one that the user may use now: a
// one-time code of a later step than the last, or a recovery code. From then
// on it is not.
func (f *SecondFactor) accept(ctx context.Context, has *credential, code string) (bool, error) {
	code = plainCode(code)
	if len(code) == recoveryCodeLen {
		return f.useRecoveryCode(ctx, has.user, code, f.now())
	}
	step, err := f.step(has.user, has.secret, code)
	if step == 0 || err != nil {
		return false, err
	}
	n, err := acceptText.Exec(ctx, f.DB, has.id, step)
	if err != nil {
		return false, fmt.Errorf("use one-time code of user %d: %w", has.user, err)
	}
	return n == 1, nil
}

// step returns the step of the code under the sealed secret, 0 for none.
func (f *SecondFactor) step(user int64, sealed []byte, code string) (int64, error) {
	secret, err := f.Vault.open(forSecondFactor, user, sealed)
	if err != nil {
		return 0, fmt.Errorf("second factor of user %d: %w", user, err)
	}
	return matchingStep(secret, code, f.now())
}

// plainCode returns a code without what people put in to read it.
func plainCode(code string) string {
	return strings.ToLower(strings.NewReplacer(" ", "", "-", "").Replace(code))
}

// confirm makes sure that it is the user who asks, by what they signed in
// with: their password, if they have one, and a code, if one is asked for.
// Attempts count with those to sign in.
func (f *SecondFactor) confirm(ctx context.Context, caller *User, has *credential, proof Proof, from Origin) error {
	if err := missing(has, proof); err != nil {
		return err
	}
	return f.Throttle.try(ctx, caller.Email, from, func() error {
		if has.password != nil {
			matches, err := f.Passwords.Matches(ctx, *has.password, proof.Password)
			if err != nil {
				return err
			}
			if !matches {
				return errProof
			}
		}
		if !has.enabled {
			return nil
		}
		accepted, err := f.accept(ctx, has, proof.Code)
		if err == nil && !accepted {
			return errProof
		}
		return err
	})
}

var errProof = problem.New(problem.InvalidCredentials, "the password or the code is wrong")

// missing lists what a proof lacks.
func missing(has *credential, proof Proof) error {
	var bad []problem.Detail
	if has.password != nil && proof.Password == "" {
		bad = append(bad, problem.Invalidf("password", nil, "is required"))
	}
	if has.enabled && proof.Code == "" {
		bad = append(bad, problem.Invalidf("token", nil, "is required: a one-time code or a recovery code"))
	}
	return problem.Inputs(bad...)
}

func (f *SecondFactor) now() time.Time {
	if f.Now != nil {
		return store.Time(f.Now())
	}
	return store.Time(time.Now())
}
