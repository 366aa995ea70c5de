package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/entwine-go/entwine/kit/internal/backup"
	"github.com/entwine-go/entwine/kit/internal/wal"
	"github.com/entwine-go/entwine/kit/store"
)

const (
	// followTime is how often [Process.follow] looks for what was committed.
	followTime = time.Second
	// followAgain is how long it waits after something went wrong, and between two
	// passes over the files of fields at least. Where it goes wrong again at once, as on a
	// full disk, it waits twice as long each time, up to followLate: each try copies the
	// whole database.
	followAgain = 5 * time.Second
	followLate  = 5 * time.Minute
	// noteTime is how often monitoring hears that the backup goes on.
	noteTime = 10 * time.Second
	// logLeast is the size up to which a run's log may be larger than twice its base.
	logLeast = 64 << 20
)

// follow keeps in a folder what the database of SQLite is, up to the last second, until
// ctx ends. Where it fails, it begins anew.
func (p *Process) follow(ctx context.Context, folder, copies string, every time.Duration, keep int) error {
	if p.onPostgres() {
		return Usagef("--follow is for SQLite: PostgreSQL archives its log itself (archive_command)")
	}
	if same(folder, p.Config.DataDir) {
		return Usagef("%s is where the service has its data: name a folder on another disk", folder)
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	for wait := followAgain; ; wait = min(2*wait, followLate) {
		begun := time.Now()
		err := p.followOnce(ctx, folder, cmp.Or(copies, filepath.Join(folder, "files")), copies != "", every, keep)
		if ctx.Err() != nil {
			return err
		}
		if time.Since(begun) > followLate {
			wait = followAgain
		}
		p.backupFails(ctx)
		p.Log.ErrorContext(ctx, "the backup does not go on; it begins anew", "err", err, "in", wait)
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
	}
}

// following is a call of [Process.followOnce].
type following struct {
	p      *Process
	folder string
	every  time.Duration
	keep   int
	wal    *wal.Follower
	copies string // the folder for copies of files
	named  bool

	// runs get what is committed: the last whole one, and one whose base is being made.
	runs []*backup.Run
	// based has the end of making a base, nil while none is made.
	based chan error
	base  int64 // the size of the whole run's base
	// asked has a base that waits until all it has was added to its run.
	asked chan chan int

	noted time.Time
	// tended is closed once files were copied and old runs removed, which goes on beside.
	// copyAt, when files may be copied again, belongs to the goroutine that does so until then.
	tended chan struct{}
	copyAt time.Time
	old    bool // there may be old runs
}

func (p *Process) followOnce(ctx context.Context, folder, copies string, named bool, every time.Duration, keep int) error {
	file, err := p.existingFile()
	if err != nil {
		return err
	}
	f := &following{p: p, folder: folder, copies: copies, named: named, every: every, keep: keep, asked: make(chan chan int), tended: make(chan struct{})}
	close(f.tended)
	if f.wal, err = wal.Follow(ctx, file); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	err = f.run(ctx)
	cancel()
	<-f.tended
	if f.based != nil && <-f.based != nil {
		f.drop()
	}
	for _, r := range f.runs {
		_ = r.Close()
	}
	return errors.Join(err, f.wal.Close())
}

func (f *following) run(ctx context.Context) error {
	ticker := time.NewTicker(followTime)
	defer ticker.Stop()
	for {
		if f.due() {
			if err := f.begin(ctx); err != nil {
				return err
			}
		}
		var answer chan int
		select {
		case <-ctx.Done():
			// Transactions committed until now are added first.
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), followAgain)
			defer cancel()
			return f.add(ctx)
		case err := <-f.based:
			if err := f.made(ctx, err); err != nil {
				return err
			}
			continue
		case answer = <-f.asked:
		case <-ticker.C:
		}
		if err := f.add(ctx); err != nil {
			return err
		}
		if answer != nil {
			answer <- f.runs[len(f.runs)-1].Records()
		}
	}
}

// due reports whether a new run is to begin: there is none, or the one that there is has
// grown so old or long that a new base costs less than to go on.
func (f *following) due() bool {
	if f.based != nil {
		return false
	}
	return len(f.runs) == 0 || time.Since(f.runs[0].Begun) > f.every || f.runs[0].Size() > max(logLeast, 2*f.base)
}

// begin begins a run and its base. From now on what is committed is added to it, too.
func (f *following) begin(ctx context.Context) error {
	r, err := backup.Begin(f.folder, f.p.service.Name, time.Now())
	if err != nil {
		return err
	}
	f.runs, f.based = append(f.runs, r), make(chan error, 1)
	go func() { f.based <- f.makeBase(ctx, r) }()
	return nil
}

func (f *following) makeBase(ctx context.Context, r *backup.Run) error {
	_, err := backup.Write(ctx, r.Base(), backup.Source{
		Copy: func(ctx context.Context, name string) (int, error) {
			to, err := os.OpenFile(name, os.O_WRONLY, 0)
			if err != nil {
				return 0, err
			}
			err = f.wal.Copy(ctx, to)
			if err := errors.Join(err, to.Close()); err != nil {
				return 0, err
			}
			// The copy has commits that may not have been added to the run. It is good
			// once they are.
			answer := make(chan int, 1)
			select {
			case f.asked <- answer:
			case <-ctx.Done():
				return 0, ctx.Err()
			}
			select {
			case n := <-answer:
				return n, nil
			case <-ctx.Done():
				return 0, ctx.Err()
			}
		},
		Keys: f.p.keyFilesThere(), Program: f.p.service.Name + " " + f.p.service.version(), Now: time.Now,
	})
	return err
}

// made goes on with the run whose base was made, and lets go of those before it.
func (f *following) made(ctx context.Context, err error) error {
	f.based = nil
	if err != nil {
		f.drop()
		return fmt.Errorf("copy the database: %w", err)
	}
	last := f.runs[len(f.runs)-1]
	for _, r := range f.runs[:len(f.runs)-1] {
		if err := r.Close(); err != nil {
			f.p.Log.WarnContext(ctx, "the end of a run was not written", "run", r.Dir, "err", err)
		}
	}
	f.runs = []*backup.Run{last}
	info, err := os.Stat(last.Base())
	if err != nil {
		return err
	}
	f.base = info.Size()
	f.p.Log.InfoContext(ctx, "the database is followed", "run", last.Dir, "bytes", f.base)
	f.note(ctx)
	f.old = true
	f.tend(ctx)
	return nil
}

// drop removes the run whose base was not made.
func (f *following) drop() {
	r := f.runs[len(f.runs)-1]
	f.runs, f.based = f.runs[:len(f.runs)-1], nil
	_ = r.Close()
	if err := os.RemoveAll(r.Dir); err != nil {
		f.p.Log.Warn("a run without a base stays", "run", r.Dir, "err", err)
	}
}

// add adds what was committed to the runs.
func (f *following) add(ctx context.Context) error {
	// A pass that has begun is finished, so that a run ends with all commits before it.
	more, err := f.wal.Next(context.WithoutCancel(ctx), func(c wal.Change) error {
		now := time.Now()
		for _, r := range f.runs {
			if err := r.Add(c, now); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if more || f.old {
		f.tend(ctx)
	}
	if time.Since(f.noted) > noteTime {
		f.note(ctx)
	}
	return nil
}

// note says to monitoring that what was committed until now is kept.
func (f *following) note(ctx context.Context) {
	if len(f.runs) == 0 || f.based != nil && len(f.runs) == 1 {
		return // no run is whole
	}
	f.noted = time.Now()
	if err := backup.Note(f.p.Config.DataDir, backup.Made, f.noted); err != nil {
		f.p.Log.WarnContext(ctx, "monitoring will not know of this backup", "err", err)
	}
}

// tend begins to copy the files of fields and to remove old runs, unless that goes on or
// was done a moment ago: it reads the names of all files, so that it is given a twentieth
// of the time.
func (f *following) tend(ctx context.Context) {
	select {
	case <-f.tended:
	default:
		return
	}
	if len(f.runs) == 0 || !f.old && time.Now().Before(f.copyAt) {
		return
	}
	done, old, first := make(chan struct{}), f.old, f.runs[0].Begun
	f.tended, f.old = done, false
	go func() {
		defer close(done)
		f.copyFiles(ctx)
		if old {
			f.prune(ctx, first)
		}
	}()
}

func (f *following) copyFiles(ctx context.Context) {
	begun := time.Now()
	if f.p.Config.FilesURL != "" && !f.named {
		return // a bucket is not copied unasked
	}
	err := f.p.withExisting(ctx, func(db *store.DB) error {
		c, err := f.p.copiesIn(ctx, db, f.copies, f.named)
		if err == nil {
			err = c.make(ctx)
		}
		return err
	})
	if err != nil && ctx.Err() == nil {
		f.p.Log.ErrorContext(ctx, "files of fields were not copied", "err", err)
	}
	f.copyAt = time.Now().Add(max(followAgain, 20*time.Since(begun)))
}

// prune removes all runs but the newest, those without a base that were begun before the
// time, and copies of files that none of them needs.
func (f *following) prune(ctx context.Context, before time.Time) {
	all, err := backup.Runs(f.folder, f.p.service.Name)
	oldest, kept := before, 0
	for _, dir := range slices.Backward(all) {
		begun, _ := backup.BegunAt(dir, f.p.service.Name)
		_, broken := backup.Whole(dir)
		switch {
		case broken == nil && kept < f.keep:
			kept++
		case broken == nil || begun.Before(before):
			err = errors.Join(err, os.RemoveAll(dir))
			continue
		}
		if begun.Before(oldest) {
			oldest = begun
		}
	}
	err = errors.Join(err, f.p.thin(ctx, f.copies, oldest))
	if err != nil && ctx.Err() == nil {
		f.p.Log.WarnContext(ctx, "old runs or copies of files stay", "err", err)
	}
}
