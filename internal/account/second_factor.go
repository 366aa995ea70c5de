package account

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/credential"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/recoverycode"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// SecondFactor asks for a one-time code beside the password. Secrets are
// stored encrypted, and no code is accepted twice.
//
//	off -Setup-> pending -Verify-> on -Disable-> off
//	             on -Setup-> on, and another pending -Verify-> on
type SecondFactor struct {
	DB        *store.DB
	Vault     *Vault
	Passwords *Passwords
	Throttle  *Throttle
	// Service is what authenticator apps call this service.
	Service string
	// Now is the time, time.Now where it is nil.
	Now func() time.Time
}

// Proof is what a user shows again before something that an intruder with
// their token must not do.
type Proof struct {
	Password string
	// Code is a one-time code or a recovery code.
	Code string
}

// FactorState is what a user may know of their second factor.
type FactorState struct {
	Enabled bool
	// RecoveryCodes is how many have not been used.
	RecoveryCodes int
}

// State returns the caller's.
func (f *SecondFactor) State(ctx context.Context) (FactorState, error) {
	caller, err := self(ctx)
	if err != nil {
		return FactorState{}, err
	}
	ctx = viewer.With(ctx, viewer.System())
	has, err := f.credential(ctx, caller)
	if err != nil || !has.TotpEnabled {
		return FactorState{}, err
	}
	left, err := orm.Client(f.DB).RecoveryCode.Query().
		Where(recoverycode.UserID(caller), recoverycode.UsedAtIsNil()).Count(ctx)
	if err != nil {
		return FactorState{}, fmt.Errorf("count recovery codes of user %d: %w", caller, err)
	}
	return FactorState{Enabled: true, RecoveryCodes: left}, nil
}

// credential returns the user's, an empty one where there is none.
func (f *SecondFactor) credential(ctx context.Context, user typedid.UserID) (*ent.Credential, error) {
	has, err := orm.Client(f.DB).Credential.Query().Where(credential.UserID(user)).Only(ctx)
	if ent.IsNotFound(err) {
		return &ent.Credential{UserID: user}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("find credential of user %d: %w", user, err)
	}
	return has, nil
}

// accept reports whether the code is one that the user may use now: a
// one-time code of a later step than the last, or a recovery code. From then
// on it is not.
func (f *SecondFactor) accept(ctx context.Context, has *ent.Credential, code string) (bool, error) {
	code = plainCode(code)
	if len(code) == recoveryCodeLen {
		return f.useRecoveryCode(ctx, has.UserID, code, f.now())
	}
	step, err := f.step(has.UserID, has.TotpSecret, code)
	if step == 0 || err != nil {
		return false, err
	}
	n, err := orm.Client(f.DB).Credential.Update().
		Where(credential.ID(has.ID), credential.TotpEnabled(true), credential.TotpLastStepLT(step)).
		SetTotpLastStep(step).Save(ctx)
	if err != nil {
		return false, fmt.Errorf("use one-time code of user %d: %w", has.UserID, err)
	}
	return n == 1, nil
}

// step returns the step of the code under the sealed secret, 0 for none.
func (f *SecondFactor) step(user typedid.UserID, sealed []byte, code string) (int64, error) {
	secret, err := f.Vault.open(forSecondFactor, int64(user), sealed)
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
func (f *SecondFactor) confirm(ctx context.Context, caller *ent.User, has *ent.Credential, proof Proof, from Origin) error {
	if err := missing(has, proof); err != nil {
		return err
	}
	return f.Throttle.try(ctx, caller.Email, from.Address, func() error {
		if has.PasswordHash != nil {
			matches, err := f.Passwords.Matches(ctx, *has.PasswordHash, proof.Password)
			if err != nil {
				return err
			}
			if !matches {
				return errProof
			}
		}
		if !has.TotpEnabled {
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
func missing(has *ent.Credential, proof Proof) error {
	var bad []problem.Detail
	if has.PasswordHash != nil && proof.Password == "" {
		bad = append(bad, problem.Invalidf("password", nil, "is required"))
	}
	if has.TotpEnabled && proof.Code == "" {
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
