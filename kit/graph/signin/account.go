package signin

import (
	"context"
	"time"
)

func (a *API) forgotPassword(ctx context.Context, in arguments) (any, error) {
	return done(a.Accounts.Resetter.Forgot(ctx, in.text("email")))
}

func (a *API) resetPassword(ctx context.Context, in arguments) (any, error) {
	return done(a.Accounts.Resetter.Reset(ctx, in.text("token"), in.text("newPassword")))
}

func (a *API) changePassword(ctx context.Context, in arguments) (any, error) {
	return done(a.Accounts.Addresses.ChangePassword(ctx, in.text("oldPassword"), in.text("newPassword"), origin(ctx)))
}

func (a *API) verifyEmail(ctx context.Context, in arguments) (any, error) {
	return done(a.Accounts.Addresses.Verify(ctx, in.text("token")))
}

func (a *API) resendVerification(ctx context.Context, in arguments) (any, error) {
	return done(a.Accounts.Addresses.Resend(ctx, in.text("email")))
}

func (a *API) takeBackEmail(ctx context.Context, in arguments) (any, error) {
	return done(a.Accounts.Addresses.TakeBack(ctx, in.text("token"), in.text("newPassword")))
}

// activeSession is ActiveSession.
type activeSession struct {
	ID        string    `json:"id"`
	Mode      string    `json:"mode"`
	UserAgent string    `json:"userAgent"`
	Address   string    `json:"address"`
	CreatedAt time.Time `json:"createdAt"`
	ExpiresAt time.Time `json:"expiresAt"`
	Current   bool      `json:"current"`
}

func (a *API) sessions(ctx context.Context, _ arguments) (any, error) {
	all, err := a.Accounts.Gate.List(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]activeSession, len(all))
	for i, s := range all {
		list[i] = activeSession{s.ID, string(s.Mode), s.Agent, s.Address, s.Created.UTC(), s.Expires.UTC(), s.Current}
	}
	return list, nil
}

func (a *API) endSession(ctx context.Context, in arguments) (any, error) {
	return done(a.Accounts.Gate.End(ctx, in.text("id")))
}

func (a *API) endOtherSessions(ctx context.Context, _ arguments) (any, error) {
	return done(a.Accounts.Gate.EndOthers(ctx))
}

// twoFactor is TwoFactor.
type twoFactor struct {
	Enabled           bool `json:"enabled"`
	RecoveryCodesLeft int  `json:"recoveryCodesLeft"`
}

func (a *API) twoFactor(ctx context.Context, _ arguments) (any, error) {
	state, err := a.Accounts.Factor.State(ctx)
	if err != nil {
		return nil, err
	}
	return twoFactor{state.Enabled, state.RecoveryCodes}, nil
}

// twoFactorSetup is TwoFactorSetup.
type twoFactorSetup struct {
	Secret string `json:"secret"`
	QRCode string `json:"qrCode"`
}

func (a *API) setupTwoFactor(ctx context.Context, in arguments) (any, error) {
	enrolment, err := a.Accounts.Factor.Setup(ctx, in.proof(), origin(ctx))
	if err != nil {
		return nil, err
	}
	return twoFactorSetup{enrolment.Secret, enrolment.Picture}, nil
}

// recoveryCodes is RecoveryCodes.
type recoveryCodes struct {
	RecoveryCodes []string `json:"recoveryCodes"`
}

func (a *API) verifyTwoFactor(ctx context.Context, in arguments) (any, error) {
	codes, err := a.Accounts.Factor.Verify(ctx, in.text("token"), origin(ctx))
	return shownOnce(codes, err)
}

func (a *API) disableTwoFactor(ctx context.Context, in arguments) (any, error) {
	return done(a.Accounts.Factor.Disable(ctx, in.proof(), origin(ctx)))
}

func (a *API) renewRecoveryCodes(ctx context.Context, in arguments) (any, error) {
	codes, err := a.Accounts.Factor.RenewRecoveryCodes(ctx, in.proof(), origin(ctx))
	return shownOnce(codes, err)
}

func shownOnce(codes []string, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return recoveryCodes{codes}, nil
}
