package rest

import (
	"context"
	"net/http"

	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/account"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/resource/door"
	"github.com/entwine-go/entwine/rest/crud"
	"github.com/entwine-go/entwine/rest/oas/server"
)

// CreateUser makes a user, with a password if the body has one: POST /users.
func (o *operations) CreateUser(ctx context.Context, req *server.UserCreate, w http.ResponseWriter) error {
	hash, err := o.judgeUser(ctx, req)
	if err != nil {
		return err
	}
	return o.door.Create(ctx, w, crud.UserResource, func(ctx context.Context) (door.Row, error) {
		return o.insertUser(ctx, req, hash)
	})
}

// judgeUser says what is wrong with a new user, and hashes the password, if
// there is one.
func (o *operations) judgeUser(ctx context.Context, req *server.UserCreate) (hash string, err error) {
	_, f := o.Users.Draft(ctx, req)
	password, given := req.Password.Get()
	if given {
		f.Add(account.CheckPassword("password", password)...)
	}
	if err := f.Err(ctx, o.door.Reader); err != nil || !given {
		return "", err
	}
	return o.Accounts.Registrar.Prepare(ctx, password)
}

// insertUser makes a user who has been judged, in the context's transaction.
func (o *operations) insertUser(ctx context.Context, req *server.UserCreate, hash string) (door.Row, error) {
	row, err := o.Users.Insert(ctx, req)
	if err != nil {
		return row, err
	}
	if err := o.Accounts.Addresses.Made(ctx, req.Email.Value); err != nil || hash == "" {
		return row, err
	}
	return row, o.Accounts.Registrar.Enroll(ctx, typedid.UserID(row.ID), hash)
}

// weakPassword says what is wrong with the password in the body of a new user:
// the rules of passwords are not in the document.
func weakPassword(body any) []problem.Detail {
	members, _ := body.(map[string]any)
	password, isText := members["password"].(string)
	if !isText {
		return nil
	}
	return account.CheckPassword("password", password)
}
