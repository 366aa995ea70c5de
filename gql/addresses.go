package gql

import (
	"context"

	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/gql/generated"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/runtime/graph/door"
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

// UpdateUser resolves updateUser(id:, input:, expectedVersion:). An address
// that the user leaves is told.
func (r *resolver) UpdateUser(ctx context.Context, id string, in generated.UpdateUserInput, expectedVersion *int) (u *generated.User, err error) {
	email := in.Email.Value()
	if email == nil {
		return r.Mutations.UpdateUser(ctx, id, in, expectedVersion)
	}
	key, err := door.Key(entity.User, id)
	if err != nil {
		return nil, err
	}
	err = r.Accounts.Addresses.Confirm(ctx, typedid.UserID(key), *email, optional(in.CurrentPassword.Value()), "input.currentPassword", origin(ctx))
	if err != nil {
		return nil, err
	}
	err = r.Accounts.Addresses.Change(ctx, typedid.UserID(key), func(ctx context.Context) (err error) {
		u, err = r.Mutations.UpdateUser(ctx, id, in, expectedVersion)
		return err
	})
	if err != nil {
		return nil, err
	}
	return u, nil
}
