package account

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// ListedKey is an API key as an operator sees it.
type ListedKey struct {
	// ID is the row's.
	ID int64
	// Prefix is the beginning of the key, and Client the program that holds it.
	Prefix, Client string
	// Permissions are of [viewer.Permission].
	Permissions []string
	// Version is that of REST that it is pinned to, nil for none.
	Version *string
	// LastUsed, Expires and Revoked are nil for never.
	LastUsed, Expires, Revoked *time.Time
}

const listedColumns = `SELECT id, prefix, client_name, permissions, api_version, last_used_at, expires_at, revoked_at FROM api_keys`

var (
	newestKeys = statement.Of(listedColumns + ` ORDER BY id DESC LIMIT $1`)
	anyKeyByID = statement.Of(listedColumns + ` WHERE id = $1`)
)

// Newest lists the keys, the newest first.
func (k *Keyring) Newest(ctx context.Context, most int) ([]ListedKey, error) {
	return k.list(ctx, newestKeys, most)
}

// Find returns the key with the id, nil where there is none.
func (k *Keyring) Find(ctx context.Context, id int64) (*ListedKey, error) {
	all, err := k.list(ctx, anyKeyByID, id)
	if len(all) == 0 || err != nil {
		return nil, err
	}
	return &all[0], nil
}

// pinsMost bounds how many keys [Keyring.Unserved] reads: no index has the versions.
const pinsMost = 100_000

var pinned = statement.Of(`
	SELECT api_version, COUNT(*) FROM (SELECT api_version, revoked_at, expires_at FROM api_keys ORDER BY id DESC LIMIT $2) k
	WHERE api_version IS NOT NULL AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $1) GROUP BY api_version`)

// Unserved counts, among the 100,000 newest keys, those that work and are pinned to a
// version that is not offered: requests with them that name no version are refused.
func (k *Keyring) Unserved(ctx context.Context) (count int64, err error) {
	err = pinned.Query(ctx, k.DB, func(rows *sql.Rows) error {
		var version string
		var keys int64
		if err := rows.Scan(&version, &keys); err != nil {
			return err
		}
		if len(k.Versions) > 0 && !slices.Contains(k.Versions, version) {
			count += keys
		}
		return nil
	}, store.Time(k.now()), pinsMost)
	if err != nil {
		return 0, store.Problem(fmt.Errorf("count pinned API keys: %w", err))
	}
	return count, nil
}

func (k *Keyring) list(ctx context.Context, keys statement.Statement, value any) (all []ListedKey, err error) {
	err = keys.Query(ctx, k.DB, func(rows *sql.Rows) error {
		var key ListedKey
		var permissions []byte // in JSON
		if err := rows.Scan(&key.ID, &key.Prefix, &key.Client, &permissions, &key.Version, &key.LastUsed, &key.Expires, &key.Revoked); err != nil {
			return err
		}
		all = append(all, key)
		return json.Unmarshal(permissions, &all[len(all)-1].Permissions)
	}, value)
	if err != nil {
		return nil, fmt.Errorf("list API keys: %w", err)
	}
	return all, nil
}

// Revoke ends a key, for an operator: it stops working within two seconds. To
// revoke it again changes nothing.
func (k *Keyring) Revoke(ctx context.Context, key *ListedKey) error {
	if key.Revoked != nil {
		return nil
	}
	if _, err := k.Keys.set(ctx, key.ID, "revoked_at", store.Time(k.now())); err != nil {
		return store.Problem(fmt.Errorf("revoke API key %d: %w", key.ID, err))
	}
	ended(ctx, k.DB, keyName(key.ID))
	return nil
}
