package account

import (
	"context"
	"time"

	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/writing"
	"github.com/entwine-go/entwine/kit/viewer"
)

// APIKeys are the methods behind the actions of schema.APIKey.
type APIKeys struct{ *Keyring }

// Check says what is wrong with a key that is to be made, beside what its fields
// say.
func (k *Keyring) Check(in writing.Values, _ func(...string) bool) []problem.Detail {
	return notFuture(writing.Maybe[time.Time](in, "expires_at"), k.now())
}

// Create makes a key, and shows it this once.
func (k APIKeys) Create(ctx context.Context, in rows.NewAPIKey) (writing.Result, error) {
	wanted := NewAPIKey{ClientName: in.ClientName, Expires: in.ExpiresAt}
	for _, p := range in.Permissions {
		wanted.Permissions = append(wanted.Permissions, viewer.Permission(p))
	}
	text, key, err := k.Keyring.Create(ctx, wanted)
	if err != nil {
		return writing.Result{}, err
	}
	return shown(text, writing.Row{ID: int64(key.ID), Made: true}), nil
}

// Rotate gives the key another text, and shows it this once.
func (k APIKeys) Rotate(ctx context.Context, id int64) (writing.Result, error) {
	text, err := k.Keyring.Rotate(ctx, typedid.APIKeyID(id))
	return shown(text, writing.Row{ID: id}), err
}

// Revoke ends what the key, which is revoked by now, has begun.
func (k APIKeys) Revoke(ctx context.Context, id int64) (writing.Result, error) {
	ended(ctx, k.DB, keyName(id))
	return writing.Result{}, nil
}

// shown is a key with its text.
func shown(text string, row writing.Row) writing.Result {
	return writing.Result{Row: row, Once: map[string]string{"key": text}}
}
