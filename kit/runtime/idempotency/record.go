package idempotency

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/entwine-go/entwine/kit/runtime/statement"
	"github.com/entwine-go/entwine/kit/runtime/store"
)

var (
	findText = statement.Of(`
		SELECT fingerprint, COALESCE(status, 0), headers, body, expires_at > now()
		FROM idempotency_records WHERE key_hash = $1`)
	expireText = statement.Of(`DELETE FROM idempotency_records WHERE key_hash = $1 AND expires_at <= now()`)
	insertText = statement.Of(`
		INSERT INTO idempotency_records (key_hash, fingerprint, status, headers, body, expires_at, created_at)
		VALUES ($1, $2, $3, $4::jsonb, $5, later($6), now())`)
	answerText = statement.Of(`
		UPDATE idempotency_records SET status = $2, headers = $3::jsonb, body = $4
		WHERE key_hash = $1 AND status IS NULL`)
)

// find returns the request's answer, with status 0 if it runs, and nil if it
// is new: what is past its keeping is removed rather than seen.
func find(ctx context.Context, db *store.DB, r Request) (*Answer, error) {
	var (
		a                    = Answer{Replayed: true}
		fingerprint, headers []byte
		valid                bool
	)
	found, err := findText.Row(ctx, db, []any{&fingerprint, &a.Status, &headers, &a.Body, &valid}, r.hash[:])
	switch {
	case err != nil:
		return nil, fmt.Errorf("find idempotency record: %w", err)
	case !found:
		return nil, nil
	case !valid:
		_, err := expireText.Exec(ctx, db, r.hash[:])
		return nil, err
	case !bytes.Equal(fingerprint, r.fingerprint[:]):
		return nil, errReused()
	case len(headers) > 0:
		err = json.Unmarshal(headers, &a.Header)
	}
	return &a, err
}

// insert writes the record of a request: its answer, or that it runs if a is nil.
func insert(ctx context.Context, db *store.DB, r Request, a *Answer) error {
	status, headers, body, err := columns(a)
	if err != nil {
		return err
	}
	if _, err := insertText.Exec(ctx, db, r.hash[:], r.fingerprint[:], status, headers, body, Kept.Seconds()); err != nil {
		return fmt.Errorf("insert idempotency record: %w", err)
	}
	return nil
}

// finish gives a request that runs its answer, and reports whether it ran.
func finish(ctx context.Context, db *store.DB, r Request, a *Answer) (bool, error) {
	status, headers, body, err := columns(a)
	if err != nil {
		return false, err
	}
	n, err := answerText.Exec(ctx, db, r.hash[:], status, headers, body)
	if err != nil {
		return false, fmt.Errorf("finish idempotency record: %w", err)
	}
	return n == 1, nil
}

func columns(a *Answer) (status sql.NullInt64, headers sql.NullString, body []byte, err error) {
	if a == nil {
		return status, headers, nil, nil
	}
	kept := a.stored()
	text, err := json.Marshal(kept.Header)
	return sql.NullInt64{Int64: int64(a.Status), Valid: true}, sql.NullString{String: string(text), Valid: true}, kept.Body, err
}
