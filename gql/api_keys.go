package gql

import (
	"context"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/gql/generated"
	"github.com/entwine-go/entwine/internal/account"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/gid"
	"github.com/entwine-go/entwine/kit/runtime/graph/door"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// CreateAPIKey resolves createAPIKey.
func (r *resolver) CreateAPIKey(ctx context.Context, in generated.CreateAPIKeyInput) (*generated.APIKeyPayload, error) {
	wanted := account.NewAPIKey{ClientName: in.ClientName, Expires: in.ExpiresAt.Value()}
	for _, p := range in.Permissions {
		wanted.Permissions = append(wanted.Permissions, viewer.Permission(p))
	}
	return shown(r.Accounts.Keyring.Create(ctx, wanted))
}

// RotateAPIKey resolves rotateAPIKey.
func (r *resolver) RotateAPIKey(ctx context.Context, id string) (*generated.APIKeyPayload, error) {
	key, err := door.Key(entity.APIKey, id)
	if err != nil {
		return nil, err
	}
	return shown(r.Accounts.Keyring.Rotate(ctx, typedid.APIKeyID(key)))
}

// RevokeAPIKey resolves revokeAPIKey.
func (r *resolver) RevokeAPIKey(ctx context.Context, id string) (*generated.APIKey, error) {
	key, err := door.Key(entity.APIKey, id)
	if err == nil {
		err = r.Accounts.Keyring.Revoke(ctx, typedid.APIKeyID(key))
	}
	if err != nil {
		return nil, err
	}
	return &generated.APIKey{ID: gid.Encode(entity.APIKey.Name, key)}, nil
}

// shown is a key with its text, unless there is an error.
func shown(text string, key *ent.APIKey, err error) (*generated.APIKeyPayload, error) {
	if err != nil {
		return nil, namedInput(err)
	}
	return &generated.APIKeyPayload{APIKey: &generated.APIKey{ID: gid.Encode(entity.APIKey.Name, int64(key.ID))}, Key: text}, nil
}

// namedInput gives what is wrong with a key the names of the input.
func namedInput(err error) error {
	return problem.Retold(store.Problem(err), func(d problem.Detail) problem.Detail {
		if f := entity.APIKey.Field(d.Field); f != nil {
			d.Field = "input." + f.GraphQL[0]
		}
		return d
	})
}
