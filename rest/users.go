package rest

import (
	"context"
	"net/http"

	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/runtime/resource/door"
	"github.com/entwine-go/entwine/rest/crud"
	"github.com/entwine-go/entwine/rest/oas/server"
)

// userGuards are the guards of the operations in users.yaml.
var userGuards = map[string]door.Guard{
	"activateUser":   {Entity: entity.User, Verb: policy.Activate},
	"deactivateUser": {Entity: entity.User, Verb: policy.Deactivate},
	"restoreUser":    {Entity: entity.User, Verb: policy.Restore},
	"searchUsers":    {Entity: entity.User},
}

// ActivateUser lets a user sign in again: POST /users/{id}/activate.
func (o *operations) ActivateUser(ctx context.Context, params server.ActivateUserParams, w http.ResponseWriter) error {
	return o.actOnUser(ctx, w, params.ID, o.Accounts.Registrar.Activate)
}

// DeactivateUser keeps a user from signing in: POST /users/{id}/deactivate.
func (o *operations) DeactivateUser(ctx context.Context, params server.DeactivateUserParams, w http.ResponseWriter) error {
	return o.actOnUser(ctx, w, params.ID, o.Accounts.Registrar.Deactivate)
}

// RestoreUser brings a deleted user back: POST /users/{id}/restore.
func (o *operations) RestoreUser(ctx context.Context, params server.RestoreUserParams, w http.ResponseWriter) error {
	return o.actOnUser(ctx, w, params.ID, o.Accounts.Registrar.Restore)
}

// actOnUser changes the state of a user, and answers with what they are then.
func (o *operations) actOnUser(ctx context.Context, w http.ResponseWriter, id int64, act func(context.Context, typedid.UserID) error) error {
	return o.door.Act(ctx, w, crud.UserResource, id, policy.Update, func(ctx context.Context) error { return act(ctx, typedid.UserID(id)) })
}
