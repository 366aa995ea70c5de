package idempotency

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
)

var (
	findText = statement.Of(`
		SELECT held.records, held.bytes, r.fingerprint, COALESCE(r.status, 0), COALESCE(r.entity, ''), COALESCE(r.row_id, 0), r.body, r.view, r.expires_at > now()
		FROM (SELECT COUNT(*) AS records, COALESCE(SUM(size), 0)::bigint AS bytes FROM idempotency_records WHERE caller = $2 AND expires_at > now()) AS held
		LEFT JOIN idempotency_records AS r ON r.key_hash = $1`)
	expireText = statement.Of(`DELETE FROM idempotency_records WHERE key_hash = $1 AND expires_at <= now()`)
	insertText = statement.Of(`
		INSERT INTO idempotency_records (key_hash, fingerprint, caller, status, entity, row_id, body, view, size, expires_at, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, later($10), now())`)
	finishText = statement.Of(`
		UPDATE idempotency_records SET status = $2, entity = $3, row_id = $4, body = $5, view = $6, size = $7
		WHERE key_hash = $1 AND (status IS NULL OR status = 202)`)
)

// find returns the request's outcome, with status 0 if it runs, and nil if it is
// new: a record past its keeping is removed rather than seen. A new one is refused
// where nothing more is kept for the caller.
func find(ctx context.Context, k *Keeper, r Request) (*Outcome, error) {
	var (
		o                 = Outcome{Replayed: true}
		u                 usage
		fingerprint, body []byte
		valid             sql.NullBool
	)
	dest := []any{&u.records, &u.bytes, &fingerprint, &o.Status, &o.Row.Entity, &o.Row.ID, &body, &o.View, &valid}
	if _, err := findText.Row(ctx, k.DB, dest, r.hash[:], r.caller); err != nil {
		return nil, fmt.Errorf("find idempotency record: %w", err)
	}
	switch {
	case !valid.Valid:
		return nil, k.limits().room(ctx, k.DB, r, u)
	case !valid.Bool:
		if _, err := expireText.Exec(ctx, k.DB, r.hash[:]); err != nil {
			return nil, fmt.Errorf("remove an idempotency record: %w", err)
		}
		return nil, k.limits().room(ctx, k.DB, r, u)
	case !bytes.Equal(fingerprint, r.fingerprint[:]):
		return nil, errReused()
	}
	o.Row.read()
	err := o.read(body)
	return &o, err
}

// stored is the row as the columns entity and row_id have it: an id that is a text stands
// behind its entity, so that the table has one column of integers for all others.
func (r Row) stored() (entity, id any) {
	switch {
	case r.ID.IsZero():
		return nil, nil
	case r.ID.IsText():
		return r.Entity + behind + r.ID.String(), nil
	}
	return r.Entity, r.ID.Any()
}

// behind is the separator between an entity and the id of one of its rows.
const behind = ":"

// read takes an id that stands behind the entity.
func (r *Row) read() {
	if entity, id, is := strings.Cut(r.Entity, behind); is {
		r.Entity, r.ID = entity, gid.Text(id)
	}
}

// read takes what is stored as the body.
func (o *Outcome) read(body []byte) (err error) {
	if o.Status < 400 || len(body) == 0 {
		o.Body = body
		return nil
	}
	o.Refused, err = readRefusal(body)
	return err
}

// insert writes the record of a request: its outcome, or that it runs if o is nil.
// A request that another process has begun meanwhile is refused until that one ends.
func insert(ctx context.Context, k *Keeper, r Request, o *Outcome) error {
	c, err := k.columns(o)
	if err != nil {
		return err
	}
	args := append([]any{r.hash[:], r.fingerprint[:], r.caller}, append(c, Kept.Seconds())...)
	switch _, err := insertText.Exec(ctx, k.DB, args...); {
	case store.IsUnique(err): // another process was first, after this one had looked
		return errRunning()
	case err != nil:
		return fmt.Errorf("insert idempotency record: %w", err)
	}
	return nil
}

// finish gives a request that is not decided its outcome, and reports whether it was not.
func finish(ctx context.Context, k *Keeper, r Request, o *Outcome) (bool, error) {
	c, err := k.columns(o)
	if err != nil {
		return false, err
	}
	n, err := finishText.Exec(ctx, k.DB, append([]any{r.hash[:]}, c...)...)
	if err != nil {
		return false, fmt.Errorf("finish idempotency record: %w", err)
	}
	return n == 1, nil
}

// fixed is about what a record takes without a body, its indexes included.
const fixed = 200

// columns are status, entity, row_id, body, view and size.
func (k *Keeper) columns(o *Outcome) ([]any, error) {
	if o == nil {
		return []any{nil, nil, nil, nil, nil, fixed}, nil
	}
	body, view := o.Body, o.View
	if o.Refused != nil {
		var err error
		if body, err = refusalText(o.Refused); err != nil {
			return nil, err
		}
	}
	if most := k.limits().Body; int64(len(body)) > most {
		if o.Row.ID.IsZero() {
			return nil, errTooLarge(len(body), most)
		}
		body, view = nil, nil // the row is read again
	}
	entity, id := o.Row.stored()
	return []any{o.Status, entity, id, body, view, fixed + len(body)}, nil
}
