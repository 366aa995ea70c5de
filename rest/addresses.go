package rest

import (
	"context"

	"github.com/entwine-go/entwine/rest/oas/server"
)

// VerifyEmail verifies an address: POST /auth/verify-email.
func (o *operations) VerifyEmail(ctx context.Context, req *server.VerifyEmailReq) (*server.Message, error) {
	if err := o.Accounts.Addresses.Verify(ctx, req.Token); err != nil {
		return nil, err
	}
	return said("the e-mail address is verified"), nil
}

// ResendVerification asks for another token by mail: POST /auth/resend-verification.
func (o *operations) ResendVerification(ctx context.Context, req *server.ResendVerificationReq) (*server.Message, error) {
	if err := o.Accounts.Addresses.Resend(ctx, req.Email); err != nil {
		return nil, err
	}
	return said("if the e-mail address is known and not verified, a message is on its way to it"), nil
}

// TakeBackEmail brings an old address back: POST /auth/take-back-email.
func (o *operations) TakeBackEmail(ctx context.Context, req *server.TakeBackEmailReq) (*server.Message, error) {
	password := req.NewPassword.Or("")
	if err := o.Accounts.Addresses.TakeBack(ctx, req.Token, password); err != nil {
		return nil, err
	}
	if password == "" {
		return said("the account has this e-mail address again, every sign-in has ended, and the password is removed: ask for another with /auth/forgot-password"), nil
	}
	return said("the account has this e-mail address again, and every sign-in has ended: sign in with the new password"), nil
}
