package rest

import (
	"context"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/rest/oas/server"
)

// ReadTwoFactor says whether a second factor is on: GET /auth/2fa.
func (o *operations) ReadTwoFactor(ctx context.Context) (*server.ReadTwoFactorOK, error) {
	state, err := o.Accounts.Factor.State(ctx)
	if err != nil {
		return nil, err
	}
	return &server.ReadTwoFactorOK{Status: success, Enabled: state.Enabled, RecoveryCodesLeft: state.RecoveryCodes}, nil
}

// SetupTwoFactor begins a second factor: POST /auth/2fa/setup.
func (o *operations) SetupTwoFactor(ctx context.Context, req server.OptProof) (*server.SetupTwoFactorOK, error) {
	enrolment, err := o.Accounts.Factor.Setup(ctx, proof(req.Value), origin(ctx))
	if err != nil {
		return nil, err
	}
	return &server.SetupTwoFactorOK{Status: success, Secret: enrolment.Secret, QrCode: enrolment.Picture}, nil
}

// VerifyTwoFactor turns it on: POST /auth/2fa/verify.
func (o *operations) VerifyTwoFactor(ctx context.Context, req *server.VerifyTwoFactorReq) (*server.RecoveryCodes, error) {
	codes, err := o.Accounts.Factor.Verify(ctx, req.Token, origin(ctx))
	if err != nil {
		return nil, err
	}
	return recoveryCodes("two-factor authentication is enabled", codes), nil
}

// DisableTwoFactor turns it off: POST /auth/2fa/disable.
func (o *operations) DisableTwoFactor(ctx context.Context, req *server.Proof) (*server.Message, error) {
	if err := o.Accounts.Factor.Disable(ctx, proof(*req), origin(ctx)); err != nil {
		return nil, err
	}
	return said("two-factor authentication is disabled"), nil
}

// RenewRecoveryCodes replaces the recovery codes: POST /auth/2fa/recovery-codes.
func (o *operations) RenewRecoveryCodes(ctx context.Context, req *server.Proof) (*server.RecoveryCodes, error) {
	codes, err := o.Accounts.Factor.RenewRecoveryCodes(ctx, proof(*req), origin(ctx))
	if err != nil {
		return nil, err
	}
	return recoveryCodes("the recovery codes of before are no good any more", codes), nil
}

func proof(p server.Proof) account.Proof {
	return account.Proof{Password: p.Password.Or(""), Code: p.Token.Or("")}
}

func recoveryCodes(text string, codes []string) *server.RecoveryCodes {
	return &server.RecoveryCodes{Status: success, Message: text, RecoveryCodes: codes}
}
