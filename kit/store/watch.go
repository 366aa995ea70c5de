package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"time"
)

const (
	// watchTime is how often [DB.Watch] looks.
	watchTime = 500 * time.Millisecond
	// least is how much room there must be: that of SQLite's log.
	least = 1 << 20
	// trialTime bounds a write that is tried, and what a file is asked.
	trialTime = 10 * time.Second
)

// Trouble is why the database takes no writes, nil while it does. Of PostgreSQL
// [DB.Ready] finds out.
func (db *DB) Trouble() *RefusalError {
	if db.guard == nil {
		return nil
	}
	return db.guard.trouble.Load()
}

// Ready reports whether the database answers and takes writes.
func (db *DB) Ready(ctx context.Context) error {
	text := db.Dialect.ReadOnly()
	if text == "" {
		if err := db.guard.ready(); err != nil {
			return err
		}
		if err := db.guard.admit(); err != nil {
			return err
		}
		return db.Ping(ctx)
	}
	rows, err := db.QueryContext(ctx, text)
	if err != nil {
		return err
	}
	defer rows.Close()
	var readOnly bool
	if rows.Next() {
		if err := rows.Scan(&readOnly); err != nil {
			return err
		}
	}
	if readOnly {
		return (&RefusalError{ReadOnly, "the server takes no writes: it is a standby, or read-only"}).refusal()
	}
	return rows.Err()
}

// Watch looks after SQLite's files until ctx ends, and logs what it finds. While a file
// is not the one that connections have open, or the file system has no room, writes are
// refused with [problem.Unavailable]. They are taken again once the same files are back
// and a write succeeds. Where the file's name has another database, the connections are
// closed and others are opened to it, once it has not changed for a moment and accept
// finds nothing wrong with it: see [DB.OnReplaced].
//
// On PostgreSQL it asks the replicas how far they are, and only waits where there are none.
func (db *DB) Watch(ctx context.Context, log *slog.Logger, accept func(ctx context.Context, db *DB) error) {
	if db.guard == nil {
		if db.replicas != nil {
			db.replicas.follow(ctx, log)
		}
		<-ctx.Done()
		return
	}
	w := &watcher{db: db, guard: db.guard, log: log, accept: accept}
	ticker := time.NewTicker(watchTime)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			w.pass(ctx)
		case <-db.guard.changed:
		}
		w.report(ctx)
	}
}

// watcher is a call of [DB.Watch].
type watcher struct {
	db     *DB
	guard  *guard
	log    *slog.Logger
	accept func(ctx context.Context, db *DB) error

	told RefusalError // what the log says last, zero for none
	seen sight        // what the names had the last time
	bad  sight        // what was tried and not accepted
	// saved is set once the log of a file that was moved is in it.
	saved bool
	why   *RefusalError
}

// report logs what changes.
func (w *watcher) report(ctx context.Context) {
	now := RefusalError{}
	if t := w.guard.trouble.Load(); t != nil {
		now = *t
	}
	if now == w.told {
		return
	}
	w.told = now
	if now.Reason == "" {
		w.log.InfoContext(ctx, "the database takes writes again")
		return
	}
	w.log.ErrorContext(ctx, "the database takes no writes", "reason", now.Reason, "err", now.Text)
}

// pass looks once, and does what it can.
func (w *watcher) pass(ctx context.Context) {
	g := w.guard
	was := g.trouble.Load()
	now := g.look(len(g.names))
	if now == nil && !g.stale() {
		need := uint64(least)
		if was != nil {
			need *= 2 // or it would come and go
		}
		if now = room(g.names[0], need); now == nil && was != nil {
			now = w.try(ctx, was)
		}
	}
	if now.moved() || g.stale() {
		if now != nil {
			g.set(now)
			w.save(ctx)
		}
		now = w.recover(ctx, now)
	} else {
		w.saved = false
	}
	if now != nil {
		g.set(now)
		return
	}
	g.trouble.CompareAndSwap(was, nil)
}

// try writes a page, which changes nothing, and returns why that fails.
func (w *watcher) try(ctx context.Context, was *RefusalError) *RefusalError {
	err := w.directly(ctx, func(ctx context.Context, base baseConn) error {
		rows, err := base.QueryContext(ctx, "PRAGMA user_version", nil)
		if err != nil {
			return err
		}
		value := make([]driver.Value, 1)
		if err := errors.Join(rows.Next(value), rows.Close()); err != nil {
			return err
		}
		_, err = base.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %v", value[0]), nil)
		return err
	})
	if err == nil || IsBusy(err) {
		return nil
	}
	if t := writeTrouble(err); t != nil {
		return t
	}
	return was
}

// save moves what SQLite's log holds into the file that connections have open: the file
// may have another name now, and come back without the log.
func (w *watcher) save(ctx context.Context) {
	if w.saved || w.guard.stale() {
		return
	}
	err := w.directly(ctx, func(ctx context.Context, base baseConn) error {
		rows, err := base.QueryContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)", nil)
		if err != nil {
			return err
		}
		busy := make([]driver.Value, 3)
		err = errors.Join(rows.Next(busy), rows.Close())
		w.saved = err == nil && busy[0] == int64(0)
		return err
	})
	if err != nil {
		w.log.WarnContext(ctx, "the log of the database can't be moved into its file", "err", err)
	}
}

// directly calls do with the connection of the writer, which refuses nothing.
func (w *watcher) directly(ctx context.Context, do func(ctx context.Context, base baseConn) error) error {
	ctx, cancel := context.WithTimeout(ctx, trialTime)
	defer cancel()
	c, err := w.db.write.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	return c.Raw(func(inner any) error { return do(ctx, inner.(*conn).baseConn) })
}

// sight identifies the files behind their names.
type sight [3]struct {
	there fs.FileInfo
	size  int64
	mod   time.Time
}

func (g *guard) sight() (s sight) {
	for i, name := range g.names {
		if info, err := os.Stat(name); err == nil {
			s[i].there, s[i].size, s[i].mod = info, info.Size(), info.ModTime()
		}
	}
	return s
}

func (s sight) equal(o sight) bool {
	for i := range s {
		if (s[i].there == nil) != (o[i].there == nil) || s[i].size != o[i].size || !s[i].mod.Equal(o[i].mod) ||
			s[i].there != nil && !os.SameFile(s[i].there, o[i].there) {
			return false
		}
	}
	return true
}
