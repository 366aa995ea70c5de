package signin

import "context"

type address struct {
	Email string `json:"email"`
}

// forgotPassword asks for a token by mail: POST /auth/forgot-password.
func (a *API) forgotPassword(ctx context.Context, in address) (any, error) {
	return said("if the e-mail address is known, a message is on its way to it", a.Accounts.Resetter.Forgot(ctx, in.Email))
}

type token struct {
	Token       string `json:"token"`
	NewPassword string `json:"newPassword"`
}

// resetPassword sets a new password: POST /auth/reset-password.
func (a *API) resetPassword(ctx context.Context, in token) (any, error) {
	return said("the password is set: sign in with it", a.Accounts.Resetter.Reset(ctx, in.Token, in.NewPassword))
}

type passwords struct {
	OldPassword string `json:"oldPassword"`
	NewPassword string `json:"newPassword"`
}

// changePassword sets another password: POST /auth/change-password.
func (a *API) changePassword(ctx context.Context, in passwords) (any, error) {
	return said("the password is changed: your other sign-ins have ended, and this one goes on",
		a.Accounts.Addresses.ChangePassword(ctx, in.OldPassword, in.NewPassword, origin(ctx)))
}

// verifyEmail verifies an address: POST /auth/verify-email.
func (a *API) verifyEmail(ctx context.Context, in token) (any, error) {
	return said("the e-mail address is verified", a.Accounts.Addresses.Verify(ctx, in.Token))
}

// resendVerification asks for another token by mail: POST /auth/resend-verification.
func (a *API) resendVerification(ctx context.Context, in address) (any, error) {
	return said("if the e-mail address is known and not verified, a message is on its way to it", a.Accounts.Addresses.Resend(ctx, in.Email))
}

// takeBackEmail brings an old address back: POST /auth/take-back-email.
func (a *API) takeBackEmail(ctx context.Context, in token) (any, error) {
	err := a.Accounts.Addresses.TakeBack(ctx, in.Token, in.NewPassword)
	if in.NewPassword == "" {
		return said("the account has this e-mail address again, every sign-in has ended, and the password is removed: ask for another with /auth/forgot-password", err)
	}
	return said("the account has this e-mail address again, and every sign-in has ended: sign in with the new password", err)
}
