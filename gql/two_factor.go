package gql

import (
	"context"

	"github.com/entwine-go/entwine/gql/generated"
	"github.com/entwine-go/entwine/kit/account"
)

// TwoFactor resolves twoFactor.
func (q *queries) TwoFactor(ctx context.Context) (*generated.TwoFactor, error) {
	state, err := q.Accounts.Factor.State(ctx)
	if err != nil {
		return nil, err
	}
	return &generated.TwoFactor{Enabled: state.Enabled, RecoveryCodesLeft: state.RecoveryCodes}, nil
}

// SetupTwoFactor resolves setupTwoFactor.
func (r *resolver) SetupTwoFactor(ctx context.Context, password, code *string) (*generated.TwoFactorSetup, error) {
	enrolment, err := r.Accounts.Factor.Setup(ctx, proof(password, code), origin(ctx))
	if err != nil {
		return nil, err
	}
	return &generated.TwoFactorSetup{Secret: enrolment.Secret, QRCode: enrolment.Picture}, nil
}

// VerifyTwoFactor resolves verifyTwoFactor.
func (r *resolver) VerifyTwoFactor(ctx context.Context, code string) (*generated.RecoveryCodes, error) {
	return recoveryCodes(r.Accounts.Factor.Verify(ctx, code, origin(ctx)))
}

// DisableTwoFactor resolves disableTwoFactor.
func (r *resolver) DisableTwoFactor(ctx context.Context, password, code *string) (*bool, error) {
	return done(r.Accounts.Factor.Disable(ctx, proof(password, code), origin(ctx)))
}

// RenewRecoveryCodes resolves renewRecoveryCodes.
func (r *resolver) RenewRecoveryCodes(ctx context.Context, password, code *string) (*generated.RecoveryCodes, error) {
	return recoveryCodes(r.Accounts.Factor.RenewRecoveryCodes(ctx, proof(password, code), origin(ctx)))
}

func proof(password, code *string) account.Proof {
	return account.Proof{Password: optional(password), Code: optional(code)}
}

func recoveryCodes(codes []string, err error) (*generated.RecoveryCodes, error) {
	if err != nil {
		return nil, err
	}
	return &generated.RecoveryCodes{RecoveryCodes: codes}, nil
}
