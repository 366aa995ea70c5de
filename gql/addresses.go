package gql

import (
	"context"
)

// ChangePassword resolves changePassword.
func (r *resolver) ChangePassword(ctx context.Context, old, password string) (*bool, error) {
	return done(r.Accounts.Addresses.ChangePassword(ctx, old, password, origin(ctx)))
}

// VerifyEmail resolves verifyEmail.
func (r *resolver) VerifyEmail(ctx context.Context, token string) (*bool, error) {
	return done(r.Accounts.Addresses.Verify(ctx, token))
}

// ResendVerification resolves resendVerification.
func (r *resolver) ResendVerification(ctx context.Context, email string) (*bool, error) {
	return done(r.Accounts.Addresses.Resend(ctx, email))
}

// TakeBackEmail resolves takeBackEmail.
func (r *resolver) TakeBackEmail(ctx context.Context, token string, password *string) (*bool, error) {
	return done(r.Accounts.Addresses.TakeBack(ctx, token, optional(password)))
}
