// Package engine puts the engine together that writes for tests of what the kit does
// with entities: users, their notes and remarks, and API keys.
package engine

import (
	"context"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/internal/notes/internal/rows"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/write"
)

// APIKey and User are the entities that accounts write.
var (
	APIKey = rows.APIKey
	User   = rows.User
)

// New returns an engine whose actions on API keys are the keyring's.
func New(db *store.DB, keyring *account.Keyring) *write.Engine {
	e := rows.Engine(db)
	e.Methods = rows.NewMethods(keys{account.APIKeys{Keyring: keyring}}, jobs.Actions{})
	e.Judges = map[string]write.Judge{"APIKey.create": keyring.Check, "APIKey.pin": keyring.CheckPin}
	return e
}

// Users are how accounts make and change users.
func Users(db *store.DB) *account.Table { return &account.Table{Entity: User, DB: db} }

// Keyring makes and rotates API keys.
func Keyring(db *store.DB) *account.Keyring {
	return &account.Keyring{DB: db, Keys: &account.Table{Entity: APIKey, DB: db}}
}

// keys has the methods of the actions of API keys.
type keys struct{ account.APIKeys }

// Create makes a key, and shows it this once.
func (k keys) Create(ctx context.Context, in rows.NewAPIKey) (write.Result, rows.NewAPIKeyOnce, error) {
	result, key, err := k.Make(ctx, account.NewAPIKey(in))
	return result, rows.NewAPIKeyOnce(key), err
}

// Rotate gives a key another text, and shows it this once.
func (k keys) Rotate(ctx context.Context, id int64) (write.Result, rows.APIKeyRotateOnce, error) {
	result, key, err := k.APIKeys.Rotate(ctx, id)
	return result, rows.APIKeyRotateOnce(key), err
}

// Pin has the key read again that was pinned.
func (k keys) Pin(ctx context.Context, id int64, in rows.APIKeyPin) (write.Result, error) {
	return k.APIKeys.Pin(ctx, id, in.APIVersion)
}
