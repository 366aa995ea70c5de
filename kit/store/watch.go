package store

import (
	"context"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
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
// On PostgreSQL it only waits.
func (db *DB) Watch(ctx context.Context, log *slog.Logger, accept func(ctx context.Context, db *DB) error) {
	if db.guard == nil {
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

// sight is what the names of the files have.
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

// recover opens the database anew, if it can, and returns why not.
func (w *watcher) recover(ctx context.Context, now *RefusalError) *RefusalError {
	g := w.guard
	seen := g.sight()
	still := seen.equal(w.seen)
	w.seen = seen
	if now == nil { // the files are back, or closed
		now = g.trouble.Load()
	}
	switch {
	case seen[0].there == nil: // it may come back, and is all that there is of the data
		return &RefusalError{FileGone, fmt.Sprintf("the file of the database is gone: %s", g.names[0])}
	case !still: // it is being copied, perhaps
		return now
	case w.why != nil && seen.equal(w.bad):
		return w.why
	}
	if n := w.shut(); n > 0 {
		return now // connections that are used are closed when they come back
	}
	if err := w.reopen(ctx, seen); err != nil {
		w.why, w.bad = &RefusalError{FileReplaced, fmt.Sprintf("the file of the database, %s, is another one, which can't be used: %v", g.names[0], err)}, g.sight()
		w.seen = w.bad
		return w.why
	}
	w.why = nil
	w.db.Replaced(w.db.Lineage(), "its file was opened anew: "+now.Text)
	return nil
}

// shut closes connections, and returns how many are used yet.
func (w *watcher) shut() int {
	g := w.guard
	g.mu.Lock()
	g.shut = true
	g.mu.Unlock()
	for _, p := range []*pool{w.db.write, w.db.read} {
		p.SetMaxIdleConns(-1)
		p.SetMaxIdleConns(p.conns)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.open
}

// reopen lets connections be opened to the file that has the name now, if it is a
// database that is accepted. No connection is open.
func (w *watcher) reopen(ctx context.Context, now sight) error {
	g := w.guard
	g.mu.Lock()
	had, were := g.files[0], g.logs
	g.mu.Unlock()
	if !os.SameFile(now[0].there, had) {
		if err := g.dropLogs(were); err != nil {
			return err
		}
	}
	if err := whole(g.names[0], g.sight()); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, trialTime)
	defer cancel()
	trial, err := Open(ctx, Config{URL: SQLiteURL(g.names[0])})
	if err != nil {
		return err
	}
	if err := errors.Join(w.accept(ctx, trial), trial.Close()); err != nil {
		return err
	}
	after, err := os.Stat(g.names[0])
	if err != nil || !os.SameFile(after, now[0].there) {
		return errors.Join(errors.New("it was replaced again"), err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.files, g.shut = [3]fs.FileInfo{after}, false
	return nil
}

// whole reports as an error that a file is not all of a database: SQLite would make
// one of an empty file.
func whole(name string, now sight) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	var head [100]byte
	if _, err := io.ReadFull(f, head[:]); err != nil || string(head[:16]) != "SQLite format 3\x00" {
		return errors.New("it is no database")
	}
	page, pages := int64(binary.BigEndian.Uint16(head[16:])), int64(binary.BigEndian.Uint32(head[28:]))
	if page == 1 {
		page = 1 << 16
	}
	if now[1].size == 0 && now[0].size < page*pages {
		return errors.New("it is not all of a database")
	}
	return nil
}

// dropLogs removes the -wal and -shm of the database that had the name before. With
// them SQLite would take the one that has it now for damaged.
func (g *guard) dropLogs(were [3]fs.FileInfo) error {
	held, err := Hold(g.names[0])
	if err != nil {
		return err
	}
	defer held.Close()
	for i := 1; i < len(g.names); i++ {
		now, err := os.Stat(g.names[i])
		if err != nil || were[i] == nil || !os.SameFile(were[i], now) {
			continue
		}
		if err := os.Remove(g.names[i]); err != nil {
			return err
		}
	}
	return nil
}
