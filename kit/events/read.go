package events

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// patience bounds one statement.
const patience = 10 * time.Second

// reader is a tailer that reads: where it is, and how it goes.
type reader struct {
	*Tailer
	at      place
	placed  bool          // at is known
	seen    time.Time     // when it last could read
	wait    time.Duration // until it reads again, unless it is woken
	failing bool          // it could not read the last time
}

// report logs when reading begins to fail, and when it no longer does.
func (r *reader) report(ctx context.Context, err error) {
	if ctx.Err() != nil || (err != nil) == r.failing {
		return
	}
	r.failing = err != nil
	if r.failing {
		r.log.WarnContext(ctx, "events can't be read: subscribers wait", "err", err)
		return
	}
	r.log.InfoContext(ctx, "events can be read again")
}

// pass reads what there is, and decides how long to wait for more.
func (r *reader) pass(ctx context.Context) error {
	if err := r.begin(ctx); err != nil {
		r.wait = 100 * time.Millisecond // Subscribe waits for it
		return err
	}
	for {
		batch, held, err := r.read(ctx, r.at)
		if err != nil {
			r.wait = look
			return err
		}
		if len(batch) > 0 {
			r.deliver(ctx, batch)
			r.at = batch[len(batch)-1].place
		}
		if len(batch) == most {
			continue
		}
		r.relax(held)
		return nil
	}
}

// begin decides where to read from, once.
func (r *reader) begin(ctx context.Context) error {
	if r.placed {
		return nil
	}
	s, err := r.snapshot(ctx)
	if err != nil {
		return err
	}
	r.at, r.placed = s.start(), true
	r.found()
	return nil
}

// relax waits for a wake-up, or a short while where events are held back:
// a rollback of the transaction that holds them back sends no wake-up.
func (r *reader) relax(held int) {
	switch {
	case held == 0:
		r.wait = look
	case r.wait >= look:
		r.wait = soon
	default:
		r.wait = min(2*r.wait, 20*soon)
	}
}

// On PostgreSQL an event is read once every older transaction is over: until
// then one of them may still commit an event that goes before it. The
// snapshot is the statement's own, so what it does not see is not below it.
const (
	postgresText = `
		SELECT xid, id, topic, entity, entity_id, key, payload, created_at,
			xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
		FROM events WHERE (xid, id) > ($1, $2) ORDER BY xid, id LIMIT $3`
	sqliteText = `
		SELECT 0, id, topic, entity, entity_id, key, payload, created_at, 1
		FROM events WHERE id > ?2 AND ?1 = 0 ORDER BY id LIMIT ?3`
)

// read returns the events after the place, up to the first that must wait,
// and how many were found that must.
func (t *Tailer) read(ctx context.Context, after place) (batch []Event, held int, err error) {
	text := sqliteText
	if t.db.Postgres() {
		text = postgresText
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	rows, err := t.db.QueryContext(ctx, text, after.xid, after.id, most)
	if err != nil {
		return nil, 0, fmt.Errorf("read events: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var e Event
		var payload sql.NullString
		var ready bool
		if err := rows.Scan(&e.place.xid, &e.place.id, &e.Topic, &e.Entity, &e.EntityID, &e.Key, &payload, &e.At, &ready); err != nil {
			return nil, 0, fmt.Errorf("read events: %w", err)
		}
		if !ready {
			held++
			continue
		}
		if payload.Valid {
			e.Payload = []byte(payload.String)
		}
		batch = append(batch, e)
	}
	if err := rows.Err(); err != nil {
		return nil, 0, fmt.Errorf("read events: %w", err)
	}
	return batch, held, nil
}

// snapshot returns what is committed now.
func (t *Tailer) snapshot(ctx context.Context) (s snapshot, err error) {
	if !t.db.Postgres() {
		err = t.one(ctx, "SELECT COALESCE(MAX(id), 0) FROM events", &s.last)
		return s, err
	}
	var text string
	if err := t.one(ctx, "SELECT pg_current_snapshot()::text", &text); err != nil {
		return s, err
	}
	return parseSnapshot(text)
}

func (t *Tailer) one(ctx context.Context, text string, dest any) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	rows, err := t.db.QueryContext(ctx, text)
	if err != nil {
		return fmt.Errorf("ask for a snapshot: %w", err)
	}
	defer rows.Close()
	if rows.Next() {
		if err := rows.Scan(dest); err != nil {
			return fmt.Errorf("ask for a snapshot: %w", err)
		}
	}
	return rows.Err()
}
