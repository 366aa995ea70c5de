package gql

import (
	"context"

	"github.com/entwine-go/entwine/gql/generated"
	"github.com/entwine-go/entwine/internal/account"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/runtime/gid"
	"github.com/entwine-go/entwine/kit/runtime/graph/door"
)

// CreateUser resolves createUser, with a password if the input has one.
func (r *resolver) CreateUser(ctx context.Context, in generated.CreateUserInput, key *string) (*generated.User, error) {
	if in.Password.Value() == nil && !r.Accounts.Addresses.Asks() {
		return r.Mutations.CreateUser(ctx, in, key)
	}
	hash, err := r.judgeUser(ctx, in)
	if err != nil {
		return nil, err
	}
	call := door.Call{Entity: entity.User, Verb: policy.Create, Mutation: "createUser", Key: key, Arguments: []any{in}}
	id, err := r.Once(ctx, call, func(ctx context.Context) (int64, error) { return r.insertUser(ctx, in, hash) })
	if err != nil {
		return nil, err
	}
	return &generated.User{ID: gid.Encode(entity.User.Name, id)}, nil
}

// judgeUser says what is wrong with a new user, and hashes the password, if
// there is one. That takes long, so it is done before there is a transaction.
func (r *resolver) judgeUser(ctx context.Context, in generated.CreateUserInput) (hash string, err error) {
	create, form := r.DraftUser(in)
	password := in.Password.Value()
	if password != nil {
		form.Add(account.CheckPassword("input.password", *password)...)
	}
	if err := r.CheckCreate(ctx, entity.User, form, create.Mutation()); err != nil || password == nil {
		return "", err
	}
	return r.Accounts.Registrar.Prepare(ctx, *password)
}

// insertUser makes a user who has been judged, and returns the id.
func (r *resolver) insertUser(ctx context.Context, in generated.CreateUserInput, hash string) (id int64, err error) {
	err = r.DB.InTx(ctx, func(ctx context.Context) error {
		create, _ := r.DraftUser(in)
		row, err := create.Save(ctx)
		if err != nil {
			return err
		}
		id = int64(row.ID)
		if err := r.Accounts.Addresses.Made(ctx, row.Email); err != nil || hash == "" {
			return err
		}
		return r.Accounts.Registrar.Enroll(ctx, row.ID, hash)
	})
	if err != nil {
		return 0, door.Failed(entity.User, err)
	}
	return id, nil
}
