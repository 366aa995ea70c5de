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
