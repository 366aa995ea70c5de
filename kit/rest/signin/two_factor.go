package signin

import (
	"context"

	"github.com/entwine-go/entwine/kit/account"
)

type twoFactor struct {
	Status            string `json:"status"`
	Enabled           bool   `json:"enabled"`
	RecoveryCodesLeft int    `json:"recoveryCodesLeft"`
}

// readTwoFactor says whether a second factor is on: GET /auth/2fa.
func (a *API) readTwoFactor(ctx context.Context, _ none) (any, error) {
	state, err := a.Accounts.Factor.State(ctx)
	if err != nil {
		return nil, err
	}
	return twoFactor{success, state.Enabled, state.RecoveryCodes}, nil
}

// proof has the credentials that a user shows again.
type proof struct {
	Password string `json:"password"`
	Token    string `json:"token"`
}

func (p proof) account() account.Proof { return account.Proof{Password: p.Password, Code: p.Token} }

type setup struct {
	Status string `json:"status"`
	Secret string `json:"secret"`
	QRCode string `json:"qrCode"`
}

// setupTwoFactor begins a second factor: POST /auth/2fa/setup.
func (a *API) setupTwoFactor(ctx context.Context, in proof) (any, error) {
	enrolment, err := a.Accounts.Factor.Setup(ctx, in.account(), origin(ctx))
	if err != nil {
		return nil, err
	}
	return setup{success, enrolment.Secret, enrolment.Picture}, nil
}

type recoveryCodes struct {
	Status        string   `json:"status"`
	Message       string   `json:"message"`
	RecoveryCodes []string `json:"recoveryCodes"`
}

// verifyTwoFactor turns it on: POST /auth/2fa/verify.
func (a *API) verifyTwoFactor(ctx context.Context, in proof) (any, error) {
	codes, err := a.Accounts.Factor.Verify(ctx, in.Token, origin(ctx))
	if err != nil {
		return nil, err
	}
	return recoveryCodes{success, "two-factor authentication is enabled", codes}, nil
}

// disableTwoFactor turns it off: POST /auth/2fa/disable.
func (a *API) disableTwoFactor(ctx context.Context, in proof) (any, error) {
	return said("two-factor authentication is disabled", a.Accounts.Factor.Disable(ctx, in.account(), origin(ctx)))
}

// renewRecoveryCodes replaces the recovery codes: POST /auth/2fa/recovery-codes.
func (a *API) renewRecoveryCodes(ctx context.Context, in proof) (any, error) {
	codes, err := a.Accounts.Factor.RenewRecoveryCodes(ctx, in.account(), origin(ctx))
	if err != nil {
		return nil, err
	}
	return recoveryCodes{success, "the recovery codes of before are no good any more", codes}, nil
}
