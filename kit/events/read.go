package events

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// patience bounds one statement.
const patience = 10 * time.Second

// reader is a tailer that reads: where it is, and how it goes.
type reader struct {
	*Tailer
	at       place
	lineage  int64         // of the database that the place is in
	last     *Event        // the one at the place, nil for none: it is read again
	lastRead time.Time     // when it was read first
	placed   bool          // at is known
	seen     time.Time     // when it last could read
	wait     time.Duration // until it reads again, unless it is woken
	failing  bool          // it could not read the last time
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
		batch, held, err := r.read(ctx)
		if errors.Is(err, ErrReplaced) {
			r.wait = soon
			return nil
		}
		if err != nil {
			r.wait = look
			return err
		}
		if len(batch) > 0 {
			r.deliver(ctx, batch)
			r.last, r.lastRead = &batch[len(batch)-1], time.Now()
			r.at = r.last.place
		}
		if len(batch) >= most {
			continue
		}
		r.relax(held)
		return nil
	}
}

// restart ends all subscriptions, and forgets the place.
func (r *reader) restart(ctx context.Context) {
	r.placed, r.last = false, nil
	n := r.endReplaced()
	r.log.ErrorContext(ctx, "the database is another one, or at an earlier state: subscriptions are ended", "subscriptions", n)
}

// begin decides where to read from, once.
func (r *reader) begin(ctx context.Context) error {
	if r.placed {
		return nil
	}
	r.lineage = r.db.Lineage()
	s, err := r.snapshot(ctx)
	if err != nil {
		return err
	}
	if r.db.Lineage() != r.lineage { // since the connection was opened
		return r.begin(ctx)
	}
	r.at, r.last, r.placed = s.start(), nil, true
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
//
// Beside the events there is how far the database has counted, and the last event
// that was read before is the first: they show that it is the same database.
const (
	postgresText = `
		SELECT pg_snapshot_xmax(s.now)::text::bigint, xid, id, topic, entity, entity_id, key, payload, created_at,
			xid < pg_snapshot_xmin(s.now)::text::bigint
		FROM (SELECT pg_current_snapshot() AS now) s LEFT JOIN LATERAL (
			SELECT * FROM events WHERE (xid, id) >= ($1, $2) ORDER BY xid, id LIMIT $3) e ON true
		ORDER BY xid, id`
	sqliteText = `
		SELECT s.seq, 0, id, topic, entity, entity_id, key, payload, created_at, 1
		FROM (SELECT COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'events'), 0) AS seq) s LEFT JOIN (
			SELECT * FROM events WHERE id >= ?2 AND ?1 = 0 ORDER BY id LIMIT ?3) e
		ORDER BY id`
)

// anchored is for how long the last event is expected to be there: much less than
// events are kept.
const anchored = blind

// read returns the events after the place, up to the first that must wait,
// and how many were found that must. Where the database is not the one that the place
// is in, it ends the subscriptions, and the error is [ErrReplaced].
func (r *reader) read(ctx context.Context) (batch []Event, held int, err error) {
	batch, held, counted, err := r.query(ctx, r.at)
	if err != nil {
		return nil, 0, err
	}
	why := ""
	switch last := r.last; {
	case r.db.Lineage() != r.lineage:
		r.restart(ctx)
		return nil, 0, ErrReplaced
	case counted < r.at.counter():
		why = fmt.Sprintf("it has counted to %d, and had to %d before", counted, r.at.counter())
	case last == nil || time.Since(r.lastRead) > anchored:
	case len(batch) == 0 || !batch[0].same(last):
		why = fmt.Sprintf("the event %d of %s is not there", last.place.id, last.At.Format(time.RFC3339))
	}
	if why != "" {
		r.db.Replaced(r.lineage, why)
		r.restart(ctx)
		return nil, 0, ErrReplaced
	}
	if len(batch) > 0 && batch[0].place == r.at {
		batch = batch[1:]
	}
	return batch, held, nil
}

// query reads the events from the place on, and how far the database has counted.
func (t *Tailer) query(ctx context.Context, from place) (batch []Event, held int, counted int64, err error) {
	text := sqliteText
	if t.db.Postgres() {
		text = postgresText
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	rows, err := t.db.QueryContext(ctx, text, from.xid, from.id, most+1)
	if err != nil {
		return nil, 0, 0, fmt.Errorf("read events: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var row eventRow
		if err := rows.Scan(&counted, &row.xid, &row.id, &row.topic, &row.entity, &row.entityID, &row.key, &row.payload, &row.at, &row.ready); err != nil {
			return nil, 0, 0, fmt.Errorf("read events: %w", err)
		}
		switch {
		case !row.id.Valid: // there is none
		case row.ready.Bool:
			batch = append(batch, row.event())
		default:
			held++
		}
	}
	if err := rows.Err(); err != nil {
		return nil, 0, 0, fmt.Errorf("read events: %w", err)
	}
	return batch, held, counted, nil
}

// eventRow is what is read of an event, all of it NULL where there is none.
type eventRow struct {
	xid, id, entityID, key sql.NullInt64
	topic, entity, payload sql.NullString
	at                     sql.NullTime
	ready                  sql.NullBool
}

func (r *eventRow) event() Event {
	e := Event{
		Topic: r.topic.String, Entity: r.entity.String, EntityID: r.entityID.Int64, Key: r.key.Int64,
		At: r.at.Time, place: place{r.xid.Int64, r.id.Int64},
	}
	if r.payload.Valid {
		e.Payload = []byte(r.payload.String)
	}
	return e
}

// same reports whether both are one event, and not two that have one number.
func (e *Event) same(o *Event) bool {
	return e.place == o.place && e.At.Equal(o.At) && e.Topic == o.Topic && e.EntityID == o.EntityID
}

// snapshot returns what is committed now.
func (t *Tailer) snapshot(ctx context.Context) (s snapshot, err error) {
	if !t.db.Postgres() {
		err = t.one(ctx, "SELECT COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'events'), 0)", &s.last)
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
