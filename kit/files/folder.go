package files

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Folder stores files below a path, each in a file of its own, and what [Folder.Join] makes in a
// folder of its own. Every process of a service has the same folder.
type Folder struct{ Path string }

// Spool implements [Store]: drafts are on the same disk, so that Put renames them.
func (f *Folder) Spool() string { return filepath.Join(f.Path, drafts) }

// String implements [Store].
func (f *Folder) String() string { return f.Path }

// path is where the key is.
func (f *Folder) path(key string) string { return filepath.Join(f.Path, filepath.FromSlash(key)) }

// Put implements [Store].
func (f *Folder) Put(_ context.Context, key string, content *os.File) error {
	if content == nil {
		return f.place("", key)
	}
	if err := content.Sync(); err != nil {
		return fmt.Errorf("store a file: %w", err)
	}
	return f.place(content.Name(), key)
}

// place renames what was made to what the key is, and makes an empty file where that is nothing.
func (f *Folder) place(made, key string) error {
	to := f.path(key)
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return fmt.Errorf("make the folder of a file: %w", err)
	}
	var err error
	if made == "" {
		err = os.WriteFile(to, nil, 0o600)
	} else {
		err = os.Rename(made, to)
	}
	if err != nil {
		return fmt.Errorf("store a file: %w", err)
	}
	// The folder may be new, too.
	return errors.Join(syncFolder(filepath.Dir(to)), syncFolder(f.Path))
}

// Open implements [Store].
func (f *Folder) Open(_ context.Context, key string, offset, length int64) (*Content, error) {
	file, err := os.Open(f.path(key))
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && info.IsDir() {
		file.Close()
		return openShelved(file.Name(), offset, length)
	}
	if err == nil {
		_, err = file.Seek(offset, io.SeekStart)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	if length < 0 {
		length = info.Size()
	}
	return &Content{&opened{io.LimitedReader{R: file, N: length}, file}, info.Size()}, nil
}

// Remove implements [Store].
func (f *Folder) Remove(_ context.Context, key string) error {
	err := missing(os.Remove(f.path(key)))
	if err == nil {
		return nil
	}
	info, gone := os.Lstat(f.path(key))
	if gone == nil && info.IsDir() { // which is not empty
		return f.removeShelved(f.path(key))
	}
	return cmp.Or(missing(gone), err)
}

// Each implements [Store].
func (f *Folder) Each(ctx context.Context, folder string, do func(Object) error) error {
	return filepath.WalkDir(f.path(folder), func(path string, d fs.DirEntry, err error) error {
		key := strings.TrimPrefix(filepath.ToSlash(strings.TrimPrefix(path, filepath.Clean(f.Path))), "/")
		shelved := err == nil && d.IsDir() && strings.Contains(key, "/")
		if errors.Is(err, fs.ErrNotExist) || err == nil && d.IsDir() && !shelved {
			return ctx.Err() // nothing was ever stored, or one is gone meanwhile
		}
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return missing(err)
		}
		o := Object{key, info.Size(), info.ModTime()}
		if !shelved {
			return do(o)
		}
		all, err := shelve(path)
		if err == nil {
			o.Size = all.size
			err = do(o)
		}
		return cmp.Or(missing(err), fs.SkipDir)
	})
}

// missing is nil for what has gone meanwhile.
func missing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Tidy implements [Store].
func (f *Folder) Tidy(_ context.Context, before time.Time) error {
	return TidySpool(f.Spool(), before)
}

// TidySpool removes what is in a spool from before the time.
func TidySpool(folder string, before time.Time) (err error) {
	left, _ := filepath.Glob(filepath.Join(folder, "*.part"))
	for _, name := range left {
		if info, gone := os.Stat(name); gone == nil && info.ModTime().Before(before) {
			err = errors.Join(err, os.RemoveAll(name))
		}
	}
	return err
}

// syncFolder puts the names in a folder on the disk.
func syncFolder(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	err = f.Sync()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrInvalid) {
		err = nil // this system can't, or need not
	}
	return errors.Join(err, f.Close())
}
