package app

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// backUpEach makes a backup in the folder at each interval until ctx ends, and keeps so
// many of those that it has made there, in this call or another.
func (p *Process) backUpEach(ctx context.Context, dir string, every time.Duration, keep int) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for ctx.Err() == nil {
		// Names are in the order of time, and those of two in a second differ.
		file := filepath.Join(dir, p.service.Name+time.Now().UTC().Format("-20060102T150405.000000Z")+".tar")
		if err := p.backUp(ctx, file); err != nil && ctx.Err() == nil {
			p.Log.ErrorContext(ctx, "no backup was made", "err", err)
		}
		p.prune(ctx, dir, keep)
		select {
		case <-ctx.Done():
		case <-ticker.C:
		}
	}
	return nil
}

// prune removes all but the newest of a folder's backups that have the names of
// [Process.backUpEach].
func (p *Process) prune(ctx context.Context, dir string, keep int) {
	all, _ := filepath.Glob(filepath.Join(dir, p.service.Name+"-[0-9]*T[0-9]*Z.tar"))
	slices.Sort(all)
	for _, old := range all[:max(0, len(all)-keep)] {
		if err := os.Remove(old); err != nil {
			p.Log.WarnContext(ctx, "an old backup stays", "err", err)
		}
	}
}
