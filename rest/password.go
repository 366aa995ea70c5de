package rest

import (
	"context"

	"github.com/entwine-go/entwine/rest/oas/server"
)

// ForgotPassword asks for a token by mail: POST /auth/forgot-password.
func (o *operations) ForgotPassword(ctx context.Context, req *server.ForgotPasswordReq) (*server.Message, error) {
	if err := o.Accounts.Resetter.Forgot(ctx, req.Email); err != nil {
		return nil, err
	}
	return said("if the e-mail address is known, a message is on its way to it"), nil
}

// ResetPassword sets a new password: POST /auth/reset-password.
func (o *operations) ResetPassword(ctx context.Context, req *server.ResetPasswordReq) (*server.Message, error) {
	if err := o.Accounts.Resetter.Reset(ctx, req.Token, req.NewPassword); err != nil {
		return nil, err
	}
	return said("the password is set: sign in with it"), nil
}

// ChangePassword sets another password: POST /auth/change-password.
func (o *operations) ChangePassword(ctx context.Context, req *server.ChangePasswordReq) (*server.Message, error) {
	if err := o.Accounts.Addresses.ChangePassword(ctx, req.OldPassword, req.NewPassword, origin(ctx)); err != nil {
		return nil, err
	}
	return said("the password is changed: your other sign-ins have ended, and this one goes on"), nil
}
