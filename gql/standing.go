package gql

import (
	"context"

	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/gql/generated"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/runtime/graph/door"
	"github.com/entwine-go/entwine/kit/viewer"
)

// ActivateUser resolves activateUser(id:).
func (r *resolver) ActivateUser(ctx context.Context, id string) (*generated.User, error) {
	return actOnUser(ctx, id, policy.Activate, r.Accounts.Registrar.Activate)
}

// DeactivateUser resolves deactivateUser(id:).
func (r *resolver) DeactivateUser(ctx context.Context, id string) (*generated.User, error) {
	return actOnUser(ctx, id, policy.Deactivate, r.Accounts.Registrar.Deactivate)
}

// actOnUser changes the state of a user. Who may do so to none is told that
// before anything is said of the id.
func actOnUser(ctx context.Context, id, verb string, act func(context.Context, typedid.UserID) error) (*generated.User, error) {
	if err := entity.User.Rules.Check(viewer.From(ctx), verb); err != nil {
		return nil, err
	}
	key, err := door.Key(entity.User, id)
	if err != nil {
		return nil, err
	}
	if err := act(ctx, typedid.UserID(key)); err != nil {
		return nil, err
	}
	return userWith(key), nil
}
