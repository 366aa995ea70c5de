package account

import (
	"context"
	"fmt"
	"time"

	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// credential is a user's means to sign in. Without a row only the user is set.
type credential struct {
	id, user int64
	password *string // the hash
	// The secrets of the second factor and of one that is being set up, both encrypted.
	enabled         bool
	secret, pending []byte
}

var credentialText = statement.Of(`
	SELECT id, password_hash, totp_enabled, totp_secret, totp_pending FROM credentials WHERE user_id = $1`)

// credentialOf returns the user's, an empty one where there is none.
func credentialOf(ctx context.Context, db *store.DB, user int64) (*credential, error) {
	c := &credential{user: user}
	if _, err := credentialText.Row(ctx, db, []any{&c.id, &c.password, &c.enabled, &c.secret, &c.pending}, user); err != nil {
		return nil, fmt.Errorf("find credential of user %d: %w", user, err)
	}
	return c, nil
}

var setPasswordText = statement.Of(`
	INSERT INTO credentials (created_at, updated_at, user_id, password_hash, password_changed_at, totp_enabled, totp_last_step)
	VALUES (now(), now(), $1, $2, $3, false, 0)
	ON CONFLICT (user_id) DO UPDATE SET password_hash = excluded.password_hash,
		password_changed_at = excluded.password_changed_at, updated_at = excluded.updated_at`)

// setPassword stores the hash for the user, who may have had no password.
func setPassword(ctx context.Context, db *store.DB, user int64, hash string, now time.Time) error {
	if _, err := setPasswordText.Exec(ctx, db, user, hash, now); err != nil {
		return fmt.Errorf("store password of user %d: %w", user, err)
	}
	return nil
}
