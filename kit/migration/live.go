package migration

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	atlas "ariga.io/atlas/sql/migrate"
	"ariga.io/atlas/sql/schema"
)

// Live reports whether the file says that its statements are applied one by
// one, each of them in a transaction of its own or, where PostgreSQL wants
// that, in none: what must not hold the locks of the one before it.
func Live(file atlas.File) bool {
	f, ok := file.(*atlas.LocalFile)
	return ok && slices.Contains(f.Directive("txmode"), "none")
}

var (
	// outside are the statements that can't be in a transaction.
	outside = regexp.MustCompile(`(?is)^\s*(?:CREATE\s+(?:UNIQUE\s+)?INDEX|DROP\s+INDEX)\s+CONCURRENTLY\b`)
	making  = regexp.MustCompile(`(?is)^\s*CREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+(?:IF\s+NOT\s+EXISTS\s+)?("(?:[^"]|"")+"|\w+)`)
	// lenient are those in a transaction that let others read and write, so that
	// no one queues behind them and they may wait.
	lenient = regexp.MustCompile(`(?is)\bVALIDATE\s+CONSTRAINT\b|^\s*CALL\s+entwine_(?:refuse|ask)\b`)
)

// live is a file that is being applied statement by statement.
type live struct {
	*target
	revision atlas.Revision
	progress progress
}

// applyLive applies the statements that the database has not had. Which those
// are is kept with the effect of each; where that is not possible, as with
// indexes that are made concurrently, a statement may be made twice.
func (t *target) applyLive(ctx context.Context, file atlas.File) error {
	statements, err := driver{cut: of(t.db.Dialect).cut()}.ScanStmts(string(file.Bytes()))
	if err != nil {
		return err
	}
	l, err := t.resume(ctx, file, len(statements))
	if err != nil {
		return err
	}
	for _, s := range statements[l.revision.Applied:] {
		if err := l.step(ctx, s.Text); err != nil {
			if _, refused := errors.AsType[*refusal](err); refused {
				return err
			}
			return fmt.Errorf("%s: %w", s.Text, err)
		}
	}
	return nil
}

// resume is the file after the last statement that was applied.
func (t *target) resume(ctx context.Context, file atlas.File, statements int) (*live, error) {
	sums, err := t.dir.Checksum()
	if err != nil {
		return nil, err
	}
	hash, err := sums.SumByName(file.Name())
	if err != nil {
		return nil, err
	}
	r := t.revisions(t.conn)
	l := &live{target: t}
	found, err := r.ReadRevision(ctx, file.Version())
	if errors.Is(err, atlas.ErrRevisionNotExist) {
		l.revision = atlas.Revision{Version: file.Version(), Description: file.Desc(), Type: atlas.RevisionTypeExecute, Total: statements, Hash: hash}
		return l, nil
	}
	if err != nil {
		return nil, err
	}
	if found.Hash != hash || found.Total != statements {
		return nil, fmt.Errorf("%d of its %d statements were applied, and it has been edited since: write what was changed as another migration", found.Applied, found.Total)
	}
	l.revision = *found
	l.progress, err = r.progress(ctx, file.Version())
	return l, err
}

func (t *target) revisions(db schema.ExecQuerier) revisions {
	return revisions{Steps(db, t.db.Dialect), of(t.db.Dialect)}
}

// step applies the next statement.
func (l *live) step(ctx context.Context, text string) error {
	began := time.Now()
	next := l.revision
	next.Applied++
	next.ExecutedAt = began
	done := func(ctx context.Context, db schema.ExecQuerier) error {
		next.ExecutionTime = l.revision.ExecutionTime + time.Since(began)
		return l.target.revisions(db).write(ctx, &next, &progress{})
	}
	err := l.run(ctx, text, done)
	if err == nil {
		l.revision, l.progress = next, progress{}
	}
	return err
}

func (l *live) run(ctx context.Context, text string, done func(context.Context, schema.ExecQuerier) error) error {
	if name, args := called(text); takes[name] > 0 {
		if err := l.backfill(ctx, text, name, args); err != nil {
			return err
		}
		return done(ctx, l.conn)
	}
	if outside.MatchString(text) {
		if err := l.patiently(ctx, text, longestPause, func(ctx context.Context) error { return l.concurrently(ctx, text) }); err != nil {
			return err
		}
		return done(ctx, l.conn)
	}
	wait := l.lockTimeout()
	if lenient.MatchString(text) {
		wait = 0
	}
	return l.patiently(ctx, text, longestPause, func(ctx context.Context) error {
		tx, err := l.beginPatient(ctx, wait)
		if err != nil {
			return err
		}
		if _, err = Steps(tx, l.db.Dialect).ExecContext(ctx, text); err == nil {
			err = done(ctx, tx)
		}
		if err != nil {
			return errors.Join(err, tx.Rollback())
		}
		return tx.Commit()
	})
}

// concurrently runs what can't be in a transaction. An index that an earlier
// attempt has left unfinished is dropped, and so is one that this attempt does:
// queries don't use it, but writes keep it, and fail at it if it is unique.
func (l *live) concurrently(ctx context.Context, text string) error {
	if err := l.dropInvalid(ctx, text); err != nil {
		return err
	}
	db := Steps(l.conn, l.db.Dialect)
	if _, err := l.conn.ExecContext(ctx, "SET lock_timeout = 0"); err != nil { // none queues behind it
		return err
	}
	_, err := db.ExecContext(ctx, text)
	if err != nil {
		return errors.Join(err, l.dropInvalid(context.WithoutCancel(ctx), text))
	}
	return nil
}

func (l *live) dropInvalid(ctx context.Context, text string) error {
	made := making.FindStringSubmatch(text)
	if made == nil {
		return nil
	}
	r := revisions{l.conn, of(l.db.Dialect)}
	found, err := r.strings(ctx, "SELECT indexrelid::regclass::text FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid", made[1])
	if err != nil || len(found) == 0 {
		return err
	}
	if _, err := Steps(l.conn, l.db.Dialect).ExecContext(ctx, "DROP INDEX CONCURRENTLY IF EXISTS "+made[1]); err != nil {
		return fmt.Errorf("drop the unfinished index %s: %w", strings.Trim(made[1], `"`), err)
	}
	return nil
}
