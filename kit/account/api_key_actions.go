package account

import (
	"context"
	"time"

	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/write"
)

// APIKeys are the methods behind the actions of API keys. The service's own type
// for the input of the first converts to [NewAPIKey].
type APIKeys struct{ *Keyring }

// Check returns the faults of a new key that its fields do not find by themselves.
func (k *Keyring) Check(in write.Values, _ func(...string) bool) []problem.Detail {
	return append(notFuture(write.Maybe[time.Time](in, "expires_at"), k.now()), k.CheckPin(in, nil)...)
}

// CheckPin returns the faults of a pin that its fields do not find by themselves.
func (k *Keyring) CheckPin(in write.Values, _ func(...string) bool) []problem.Detail {
	version, _ := in["api_version"].(string)
	return k.offered(version)
}

// ShownKey has the text of a key, which is shown once. It converts to the service's own
// types.
type ShownKey struct {
	Key string // its text
}

// Make makes a key, and shows it this once.
func (k APIKeys) Make(ctx context.Context, in NewAPIKey) (write.Result, ShownKey, error) {
	text, id, err := k.Create(ctx, in)
	if err != nil {
		return write.Result{}, ShownKey{}, err
	}
	return write.Result{Row: write.Row{ID: gid.Int(id), Made: true}}, ShownKey{text}, nil
}

// Rotate gives the key another text, and shows it this once.
func (k APIKeys) Rotate(ctx context.Context, id int64) (write.Result, ShownKey, error) {
	text, err := k.Keyring.Rotate(ctx, id)
	return write.Result{Row: write.Row{ID: gid.Int(id)}}, ShownKey{text}, err
}

// Pin has the key, which is pinned by now, read again by who has it in memory.
func (k APIKeys) Pin(ctx context.Context, id int64, _ string) (write.Result, error) {
	ended(ctx, k.DB, keyName(id))
	return write.Result{}, nil
}

// Revoke ends what the key, which is revoked by now, has begun.
func (k APIKeys) Revoke(ctx context.Context, id int64) (write.Result, error) {
	ended(ctx, k.DB, keyName(id))
	return write.Result{}, nil
}
