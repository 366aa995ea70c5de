package wal

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"time"
)

const (
	// waitTime is how long SQLite waits for a lock that another process has.
	waitTime = time.Second
	// longLog is the number of frames from which on a [Follower] has a log begin anew,
	// the number at which SQLite moves it into the database.
	longLog = 1000
	// drainTime is how long writers are kept away at most while others read.
	drainTime = 50 * time.Millisecond
	// copySize is how much of a copy is written at a time.
	copySize = 256 << 10
)

// Follower reads what other processes commit to a file of SQLite. It is for one
// goroutine, but for [Follower.Copy].
type Follower struct {
	file  string
	there os.FileInfo
	db    *sql.DB
	// held has the read transaction that keeps the log, ask never has one for long.
	held, ask *sql.Conn
	at        position
}

// Follow begins with what is committed from now on. The file must be in WAL mode.
func Follow(ctx context.Context, file string) (f *Follower, err error) {
	from := url.URL{Scheme: "file", Opaque: (&url.URL{Path: file}).EscapedPath(), RawQuery: url.Values{
		"mode": {"rw"}, "_pragma": {fmt.Sprintf("busy_timeout(%d)", waitTime.Milliseconds()), "wal_autocheckpoint(0)", "synchronous(FULL)"},
	}.Encode()}
	f = &Follower{file: file}
	if f.there, err = os.Stat(file); err != nil {
		return nil, err
	}
	if f.db, err = sql.Open("sqlite", from.String()); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close())
		}
	}()
	if f.ask, err = f.db.Conn(ctx); err != nil {
		return nil, err
	}
	var mode string
	if err = f.ask.QueryRowContext(ctx, "PRAGMA journal_mode").Scan(&mode); err != nil {
		return nil, err
	}
	if mode != "wal" {
		return nil, fmt.Errorf("%s is in the mode %s, and only wal can be followed: start the service once", file, mode)
	}
	if f.held, err = f.hold(ctx); err != nil {
		return nil, err
	}
	_, err = f.read(ctx, nil)
	return f, err
}

// Close ends it.
func (f *Follower) Close() error {
	for _, c := range []*sql.Conn{f.held, f.ask} {
		if c != nil {
			_ = c.Close()
		}
	}
	return f.db.Close()
}

// hold begins a read transaction.
func (f *Follower) hold(ctx context.Context) (*sql.Conn, error) {
	c, err := f.db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	if err = begin(ctx, c); err != nil {
		f.letGo(c)
		return nil, err
	}
	return c, nil
}

// begin makes the connection see the present state of the database until it ends.
func begin(ctx context.Context, c *sql.Conn) error {
	_, err := c.ExecContext(ctx, "BEGIN")
	if err != nil {
		return err
	}
	var n int
	return c.QueryRowContext(ctx, "SELECT count(*) FROM (SELECT 1 FROM sqlite_schema LIMIT 1)").Scan(&n)
}

// letGo ends what a connection has begun, and gives it back.
func (f *Follower) letGo(c *sql.Conn) {
	_, _ = c.ExecContext(context.Background(), "ROLLBACK")
	_ = c.Close()
}

// Next hands out what was committed since the last call, in order, and returns whether
// there was anything. The database may go on overwriting its log once it returns without
// an error, so do must have kept what it was given; its memory is reused. It fails with
// [ErrGap] where the file is another one.
func (f *Follower) Next(ctx context.Context, do func(Change) error) (bool, error) {
	long, err := f.advance(ctx, do)
	if err != nil || long < longLog {
		return long >= 0, err
	}
	return true, f.shorten(ctx, do)
}

// advance returns how many frames the log has, -1 for nothing new.
func (f *Follower) advance(ctx context.Context, do func(Change) error) (int64, error) {
	now, err := os.Stat(f.file)
	if err != nil {
		return 0, err
	}
	if !os.SameFile(now, f.there) {
		return 0, fmt.Errorf("%w: %s is another file now", ErrGap, f.file)
	}
	if more, err := f.more(ctx); err != nil || !more {
		return -1, err
	}
	// All frames that are there when this begins are read before the one before it ends: what a
	// reader has not seen is not moved into the file, and a log of which something has
	// not been moved does not begin anew.
	next, err := f.hold(ctx)
	if err != nil {
		return 0, err
	}
	long, err := f.read(ctx, do)
	if err != nil {
		f.letGo(next)
		return 0, err
	}
	f.letGo(f.held)
	f.held = next
	return long, nil
}

// more reports whether the log has other frames than those that were read.
func (f *Follower) more(ctx context.Context) (bool, error) {
	h, ok, err := f.header()
	if err != nil {
		return false, err
	}
	frames, _, err := f.state(ctx, f.ask, "NOOP")
	return ok && (h.salt != f.at.salt || frames > f.at.frame), err
}

func (f *Follower) header() (h header, ok bool, err error) {
	log, err := open(f.file)
	if err != nil || log == nil {
		return h, false, err
	}
	defer log.Close()
	return readHeader(log)
}

// read hands out the frames that were committed since the last time, and returns how many
// there are in all.
func (f *Follower) read(ctx context.Context, do func(Change) error) (int64, error) {
	log, err := open(f.file)
	if err != nil || log == nil {
		return 0, err
	}
	defer log.Close()
	for range 100 {
		// The header is that of the frames that are counted where it is the same before
		// and after: SQLite announces that a log begins anew before it writes the first.
		before, ok, err := readHeader(log)
		if err != nil {
			return 0, err
		}
		// Frames that are in the log and are not counted were not committed: a writer that
		// could not finish leaves them, and the next one overwrites them.
		committed, _, err := f.state(ctx, f.ask, "NOOP")
		if err != nil {
			return 0, err
		}
		after, same, err := readHeader(log)
		if err != nil {
			return 0, err
		}
		if before != after || ok != same {
			continue
		}
		at := f.at
		switch {
		case !ok && committed > 0, ok && before.salt == at.salt && committed < at.frame && committed > 0:
			continue // it is about to begin anew
		case !ok, before.salt == at.salt && committed <= at.frame:
			return committed, nil
		case before.salt != at.salt:
			if do != nil && at.salt != [2]uint32{} && before.salt[0] != at.salt[0]+1 {
				return 0, ErrGap
			}
			at = position{salt: before.salt, sum: before.sum}
		}
		f.at, err = frames(log, before, at, committed, do)
		return committed, err
	}
	return 0, errors.New("the log of the database begins anew again and again")
}

// state asks how many frames the log has, and how many are in the database file, after a
// checkpoint of the mode. NOOP is none.
func (f *Follower) state(ctx context.Context, c *sql.Conn, mode string) (frames, moved int64, err error) {
	var busy int
	err = c.QueryRowContext(ctx, "PRAGMA wal_checkpoint("+mode+")").Scan(&busy, &frames, &moved)
	return max(frames, 0), moved, err
}

// shorten lets a long log begin anew, which it does not while somebody reads a state that
// is not all in the database file, as a follower that is behind by a moment does. So it
// keeps writers away while it moves the last frames and catches up; they wait for that
// long, some milliseconds. Where others read meanwhile, it is for the next time.
func (f *Follower) shorten(ctx context.Context, do func(Change) error) error {
	if _, _, err := f.state(ctx, f.ask, "PASSIVE"); err != nil {
		return err
	}
	writer, err := f.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer f.letGo(writer)
	if _, err := writer.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return nil // somebody writes for longer than a moment
	}
	if _, err := f.advance(ctx, do); err != nil {
		return err
	}
	for end := time.Now().Add(drainTime); ; time.Sleep(time.Millisecond) {
		frames, moved, err := f.state(ctx, f.ask, "PASSIVE")
		if err != nil {
			return err
		}
		if moved == frames {
			break
		}
		if time.Now().After(end) {
			return nil
		}
	}
	// A reader that begins now needs the file alone. Nobody has written since the last
	// frame was read.
	next, err := f.hold(ctx)
	if err != nil {
		return err
	}
	f.letGo(f.held)
	f.held = next
	time.Sleep(drainTime / 10) // for those that began while the log was needed
	return nil
}

// Copy writes all pages, as they are at some moment of the call. What [Follower.Next]
// hands out in calls that begin after the beginning of Copy makes of it what the database
// is later. It may run beside Next.
func (f *Follower) Copy(ctx context.Context, to io.Writer) error {
	c, err := f.hold(ctx)
	if err != nil {
		return err
	}
	defer f.letGo(c)
	rows, err := c.QueryContext(ctx, "SELECT data FROM sqlite_dbpage('main') ORDER BY pgno")
	if err != nil {
		return err
	}
	defer rows.Close()
	buffered := bufio.NewWriterSize(to, copySize)
	var page sql.RawBytes
	for rows.Next() {
		if err := rows.Scan(&page); err != nil {
			return err
		}
		if _, err := buffered.Write(page); err != nil {
			return err
		}
	}
	return errors.Join(rows.Err(), buffered.Flush())
}
