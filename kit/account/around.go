package account

import (
	"context"

	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/write"
)

// The inputs of users that are no columns of theirs: see schema.User.
const (
	newPassword     = "password"
	currentPassword = "current_password"
)

// Around returns the work of accounts around writes of users: a user who is
// created with a password can sign in with it, a new address has to be verified,
// and the address before it gets a mail. From is where a request comes from.
func (a *Accounts) Around(from func(context.Context) Origin) *write.Around {
	return &write.Around{
		When: func(c *write.Change) bool {
			if c.Verb == policy.Create {
				return c.Values[newPassword] != nil || a.Addresses.Asks()
			}
			return c.Values["email"] != nil
		},
		Prepare: func(ctx context.Context, c *write.Change) (any, error) {
			if c.Verb == policy.Create {
				return a.hashed(ctx, c)
			}
			email, _ := c.Values["email"].(string)
			current, _ := c.Values[currentPassword].(string)
			return nil, a.Addresses.Confirm(ctx, c.ID.Int(), email, current, currentPassword, from(ctx))
		},
		Write: func(ctx context.Context, c *write.Change, prepared any, write func(context.Context) (write.Row, error)) (row write.Row, err error) {
			if c.Verb == policy.Create {
				return a.made(ctx, c, prepared, write)
			}
			err = a.Addresses.Change(ctx, c.ID.Int(), func(ctx context.Context) error {
				row, err = write(ctx)
				return err
			})
			return row, err
		},
	}
}

// hashed is the hash of a new user's password, empty where there is none.
func (a *Accounts) hashed(ctx context.Context, c *write.Change) (string, error) {
	password, _ := c.Values[newPassword].(string)
	if password == "" {
		return "", nil
	}
	return a.Registrar.Prepare(ctx, password)
}

// made makes a user, with what they sign in with.
func (a *Accounts) made(ctx context.Context, c *write.Change, hash any, write func(context.Context) (write.Row, error)) (row write.Row, err error) {
	err = a.Registrar.DB.InTx(ctx, func(ctx context.Context) error {
		if row, err = write(ctx); err != nil {
			return err
		}
		email, _ := c.Values["email"].(string)
		if err := a.Addresses.Made(ctx, email); err != nil || hash == "" {
			return err
		}
		return a.Registrar.Enroll(ctx, row.ID.Int(), hash.(string))
	})
	return row, err
}
