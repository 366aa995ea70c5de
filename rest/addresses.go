package rest

import (
	"context"
	"net/http"

	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/kit/runtime/resource/body"
	"github.com/entwine-go/entwine/rest/crud"
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

// ReplaceUser replaces a user: PUT /users/{id}.
func (o *operations) ReplaceUser(ctx context.Context, req *server.UserUpdate, params server.ReplaceUserParams, w http.ResponseWriter) error {
	return o.changeUser(ctx, w, req, params.ID, body.Replacing)
}

// PatchUser changes what the body names of a user: PATCH /users/{id}.
func (o *operations) PatchUser(ctx context.Context, req *server.UserUpdate, params server.PatchUserParams, w http.ResponseWriter) error {
	return o.changeUser(ctx, w, req, params.ID, body.New)
}

// changeUser changes a user. An address that they leave is told.
func (o *operations) changeUser(ctx context.Context, w http.ResponseWriter, req *server.UserUpdate, id int64, form func(context.Context) *body.Form) error {
	email, named := req.Email.Get()
	if named {
		err := o.Accounts.Addresses.Confirm(ctx, typedid.UserID(id), email, req.CurrentPassword.Or(""), "current_password", origin(ctx))
		if err != nil {
			return err
		}
	}
	return o.door.Update(ctx, w, crud.UserResource, id, func(ctx context.Context) error {
		change := func(ctx context.Context) error { return o.Users.Update(ctx, form(ctx), req, id) }
		if !named {
			return change(ctx)
		}
		return o.Accounts.Addresses.Change(ctx, typedid.UserID(id), change)
	})
}
