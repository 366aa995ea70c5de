package app

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/internal/backup"
)

// backupTime is the layout of the time at the end of a backup's name: when it was
// begun.
const backupTime = "-20060102T150405.000000Z.tar"

// backUpEach makes a backup in the folder at each interval until ctx ends, and keeps so
// many of those that it has made there, in this call or another.
func (p *Process) backUpEach(ctx context.Context, dir, copies string, every time.Duration, keep int) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for ctx.Err() == nil {
		// Names are in the order of time, and those of two in a second differ.
		file := filepath.Join(dir, p.service.Name+time.Now().UTC().Format(backupTime))
		if err := p.backUp(ctx, file, copies); err != nil && ctx.Err() == nil {
			p.Log.ErrorContext(ctx, "no backup was made", "err", err)
			p.backupFails(ctx)
		}
		p.prune(ctx, dir, copies, keep)
		select {
		case <-ctx.Done():
		case <-ticker.C:
		}
	}
	return nil
}

// prune removes all but the newest of a folder's backups that have the names of
// [Process.backUpEach], and then the copies of files that none of these needs.
func (p *Process) prune(ctx context.Context, dir, copies string, keep int) {
	all, _ := filepath.Glob(filepath.Join(dir, p.service.Name+"-[0-9]*T[0-9]*Z.tar"))
	slices.Sort(all)
	old := max(0, len(all)-keep)
	if old > 0 && !p.onPostgres() {
		oldest, err := time.Parse(backupTime, strings.TrimPrefix(filepath.Base(all[old]), p.service.Name))
		if err == nil {
			err = p.thin(ctx, cmp.Or(copies, filepath.Join(dir, "files")), oldest)
		}
		if err != nil {
			p.Log.WarnContext(ctx, "old copies of files stay", "err", err)
		}
	}
	for _, old := range all[:old] {
		if err := os.Remove(old); err != nil {
			p.Log.WarnContext(ctx, "an old backup stays", "err", err)
		}
	}
}

// backupFails has monitoring know of it, until the next backup is made.
func (p *Process) backupFails(ctx context.Context) {
	if err := backup.Fail(p.Config.DataDir, time.Now()); err != nil {
		p.Log.WarnContext(ctx, "monitoring will not know that backups fail", "err", err)
	}
}
