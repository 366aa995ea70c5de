package files

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/store/statement"
)

// A mark says that a blob may have no row: it is on the disk before the blob is there and
// its row is written, and before its row is removed and it goes. A process that is killed
// in between leaves a mark, so that what has no row is found without looking at all that
// is stored.

// markEnd is what the names of marks end in.
const markEnd = ".mark"

// mark marks the blobs with the names.
func (f *Folder) mark(names ...string) error {
	folder := filepath.Join(f.Path, drafts)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("make the folder of files: %w", err)
	}
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(folder, name+markEnd), nil, 0o600); err != nil {
			return fmt.Errorf("mark a file: %w", err)
		}
	}
	return syncFolder(folder)
}

// unmark removes a mark. One that stays is settled later.
func (f *Folder) unmark(name string) {
	_ = os.Remove(filepath.Join(f.Path, drafts, name+markEnd))
}

// drop removes a blob that has a mark, and the mark.
func (f *Folder) drop(name string) error {
	if err := f.Remove(name); err != nil {
		return fmt.Errorf("remove a file: %w", err)
	}
	f.unmark(name)
	return nil
}

var storedText = statement.Of(`SELECT 1 FROM blobs WHERE name = $1`)

// settle removes uploads that were broken off, and marked blobs that have no row: those
// from before the time, for no process is between two steps for as long.
func (k *Keeper) settle(ctx context.Context, before time.Time) error {
	folder := filepath.Join(k.Folder.Path, drafts)
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, entry := range entries {
		info, gone := entry.Info()
		if gone != nil || !info.ModTime().Before(before) {
			continue
		}
		name, marked := strings.CutSuffix(entry.Name(), markEnd)
		if !marked || !storedName.MatchString(name) {
			err = errors.Join(err, os.Remove(filepath.Join(folder, entry.Name())))
			continue
		}
		err = errors.Join(err, k.settleOne(ctx, name))
	}
	return err
}

func (k *Keeper) settleOne(ctx context.Context, name string) error {
	var one int
	found, err := storedText.Row(ctx, k.DB, []any{&one}, name)
	if err != nil {
		return fmt.Errorf("look for the row of a file: %w", err)
	}
	if found {
		k.Folder.unmark(name)
		return nil
	}
	return k.Folder.drop(name)
}
