package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

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
