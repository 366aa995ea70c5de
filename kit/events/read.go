package events

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/store"
)

// patience bounds one statement.
const patience = 10 * time.Second

// reader is a tailer that reads: where it is, and how it goes.
type reader struct {
	*Tailer
	window   window        // what is read next
	lineage  int64         // of the database that the window is in
	last     *Event        // that was read, nil for none: it is read again
	lastRead time.Time     // when it was read first
	placed   bool          // window is known
	seen     time.Time     // when it last had read all there was
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
	for more := true; more; {
		var found []Event
		var err error
		found, more, err = r.read(ctx)
		if errors.Is(err, ErrReplaced) {
			r.wait = soon
			return nil
		}
		if err != nil {
			r.wait = look
			return err
		}
		for batch := range slices.Chunk(found, most) {
			r.deliver(ctx, batch)
		}
	}
	r.wait = look
	return nil
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
	r.window, r.last, r.placed = window{from: s}, nil, true
	r.found()
	return nil
}

// anchored is for how long the last event is expected to be there: much less than
// events are kept.
const anchored = blind

// read returns the next events, and whether there are more. Where the database is not
// the one that the window is in, it ends the subscriptions, and the error is
// [ErrReplaced].
func (r *reader) read(ctx context.Context) (found []Event, more bool, err error) {
	found, now, err := r.query(ctx)
	if err != nil {
		return nil, false, err
	}
	if r.db.Lineage() != r.lineage {
		r.restart(ctx)
		return nil, false, ErrReplaced
	}
	there := r.last == nil || time.Since(r.lastRead) > anchored
	if r.last != nil && len(found) > 0 && found[0].place == r.last.place {
		there = there || found[0].same(r.last)
		found = found[1:]
	}
	why := ""
	switch {
	case now.counted() < r.window.from.counted():
		why = fmt.Sprintf("it has counted to %d, and had to %d before", now.counted(), r.window.from.counted())
	case !there:
		why = fmt.Sprintf("the event %d of %s is not there", r.last.place.id, r.last.At.Format(time.RFC3339))
	}
	if why != "" {
		r.db.Replaced(r.lineage, why)
		r.restart(ctx)
		return nil, false, ErrReplaced
	}
	more = r.window.read(now, found, page)
	if len(found) > 0 {
		r.last, r.lastRead = &found[len(found)-1], time.Now()
	}
	return found, more, nil
}

// query reads the event that was read last, if it is there, and the next page of the
// window, and what was committed at that moment.
func (r *reader) query(ctx context.Context) (found []Event, now snapshot, err error) {
	text, args := r.statement()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return ask(ctx, r.db, text, args)
}

// ask runs a statement of a [reading].
func ask(ctx context.Context, db *store.DB, text string, args []any) (found []Event, now snapshot, err error) {
	rows, err := db.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, now, fmt.Errorf("read events: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var row eventRow
		if err := rows.Scan(&row.now, &row.xid, &row.id, &row.topic, &row.entity, &row.entityID, (*gid.TextColumn)(&row.entityID), &row.key, (*gid.TextColumn)(&row.key), &row.payload, &row.at); err != nil {
			return nil, now, fmt.Errorf("read events: %w", err)
		}
		if row.now.Valid && now.counted() == 0 {
			if now, err = parseSnapshot(row.now.String); err != nil {
				return nil, now, fmt.Errorf("read events: %w", err)
			}
		}
		if row.id.Valid {
			found = append(found, row.event())
		}
	}
	if err := rows.Err(); err != nil {
		return nil, now, fmt.Errorf("read events: %w", err)
	}
	return found, now, nil
}

// statement is the text that reads the window, and its arguments.
func (r *reader) statement() (text string, args []any) {
	last := place{id: -1}
	if r.last != nil {
		last = r.last.place
	}
	return readings.On(r.db.Dialect).next(&r.window, last)
}

// eventRow has the columns of an event, all NULL where there is none.
type eventRow struct {
	now                    sql.NullString
	xid, id                sql.NullInt64
	entityID, key          gid.ID // zero for NULL
	topic, entity, payload sql.NullString
	at                     sql.NullTime
}

func (r *eventRow) event() Event {
	e := Event{
		Topic: r.topic.String, Entity: r.entity.String, EntityID: r.entityID, Key: r.key,
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
	return snapshotOf(ctx, t.db, readings.On(t.db.Dialect).now)
}

// snapshotOf returns what the statement says to be committed.
func snapshotOf(ctx context.Context, db *store.DB, statement string) (s snapshot, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	rows, err := db.QueryContext(ctx, statement)
	if err != nil {
		return s, fmt.Errorf("ask for a snapshot: %w", err)
	}
	defer rows.Close()
	var text string
	if rows.Next() {
		if err := rows.Scan(&text); err != nil {
			return s, fmt.Errorf("ask for a snapshot: %w", err)
		}
	}
	if err := rows.Err(); err != nil {
		return s, err
	}
	return parseSnapshot(text)
}
