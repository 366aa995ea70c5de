package store

import (
	"context"
	"database/sql"
	"fmt"
)

// Activity describes the sessions of a server in this database: zero without a
// server, on SQLite. Times are in seconds.
type Activity struct {
	// Waiting is how many sessions wait for a lock, and Waited for how long the first
	// of them has.
	Waiting int
	Waited  float64
	// Open is for how long the oldest transaction that has written has been open. It
	// keeps its locks, and its events from being read, until it ends. One that was
	// prepared counts, too.
	Open float64
}

// Activity asks the server what its sessions do. It reads lists in the server's memory
// and no table.
func (db *DB) Activity(ctx context.Context) (a Activity, err error) {
	err = db.ask(ctx, db.Dialect.Activity(), func(rows *sql.Rows) error {
		return rows.Scan(&a.Waiting, &a.Waited, &a.Open)
	})
	return a, err
}

// Follower is a standby or a slot for one, as the primary knows it.
type Follower struct {
	// Name is the standby's application_name, or the name of the slot.
	Name string
	// Slot is whether it is a slot: the primary keeps its log for it, also while nothing
	// is connected.
	Slot bool
	// Seconds is how long it took until what was committed could be read there, 0 of a
	// slot. Bytes is how much of the log it has not replayed, or the slot keeps.
	Seconds, Bytes float64
}

// Followers are the standbys and slots that follow the server. A role that may not
// see another's sessions (pg_monitor) is shown the slots alone.
func (db *DB) Followers(ctx context.Context) (all []Follower, err error) {
	err = db.ask(ctx, db.Dialect.Followers(), func(rows *sql.Rows) error {
		var f Follower
		err := rows.Scan(&f.Name, &f.Slot, &f.Seconds, &f.Bytes)
		all = append(all, f)
		return err
	})
	return all, err
}

// Archive is how the server's archive of its log is.
type Archive struct {
	On      bool    // whether the server has one
	Failing bool    // the last attempt to add to it failed
	Last    float64 // when it was last added to, in seconds since 1970; 0 for never
}

// Archive asks the server for the archive of its log.
func (db *DB) Archive(ctx context.Context) (a Archive, err error) {
	err = db.ask(ctx, db.Dialect.Archive(), func(rows *sql.Rows) error {
		return rows.Scan(&a.On, &a.Failing, &a.Last)
	})
	return a, err
}

// ask calls each with each row, and not at all where there is no text.
func (db *DB) ask(ctx context.Context, text string, each func(*sql.Rows) error) error {
	if text == "" {
		return nil
	}
	rows, err := db.QueryContext(ctx, text)
	if err != nil {
		return fmt.Errorf("ask the server how it is: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := each(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}
