package backup

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/entwine-go/entwine/kit/store"
)

// Source has the parts of an archive.
type Source struct {
	// Copy writes the database of SQLite, which others may use meanwhile, to a file that
	// is empty. Where it is the base of a run, it returns how many records the run's log
	// had then, which are part of the copy. Nil: the database is on PostgreSQL.
	Copy func(ctx context.Context, file string) (records int, err error)
	// Keys are put into the archive as they are.
	Keys []Key
	// Program is the one that makes the archive.
	Program string
	Now     func() time.Time
}

// Write makes the archive, which only its owner reads. Everything that was
// committed before the call is in it. The file appears under its name once it
// is whole and on the disk; a file that exists already stays unchanged, and
// the error is fs.ErrExist.
func Write(ctx context.Context, file string, from Source) (Manifest, error) {
	m := Manifest{Format: Format, Program: from.Program, Made: from.Now().UTC().Truncate(time.Second), Database: "postgres"}
	if _, err := os.Lstat(file); err == nil {
		return m, &fs.PathError{Op: "write", Path: file, Err: fs.ErrExist}
	}
	var paths []Key
	if from.Copy != nil {
		m.Database = "sqlite"
		draft, records, err := copied(ctx, from.Copy, file)
		if draft != "" {
			defer os.Remove(draft)
			defer func() { _ = store.RemoveLog(draft) }() // of a check that failed
		}
		if err != nil {
			return m, err
		}
		if m.Records = records; records > 0 {
			m.Made = from.Now().UTC().Truncate(time.Second)
		}
		paths = append(paths, Key{databaseName, draft})
	}
	for _, one := range append(paths, from.Keys...) {
		member, err := measure(one)
		if err != nil {
			return m, err
		}
		m.Files = append(m.Files, member)
	}
	return m, m.write(file, append(paths, from.Keys...))
}

// copied returns a copy of the database beside the file, once it is found to
// be sound: a copy of what is damaged would not be restored.
func copied(ctx context.Context, do func(context.Context, string) (int, error), file string) (draft string, records int, err error) {
	draft, err = emptyBeside(file)
	if err != nil {
		return "", 0, err
	}
	if records, err = do(ctx, draft); err != nil {
		return draft, 0, err
	}
	return draft, records, check(ctx, draft, nil)
}

// emptyBeside makes a file that only its owner reads, in the folder of another.
func emptyBeside(file string) (string, error) {
	f, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+"-*.part") // mode 0600
	if err != nil {
		return "", err
	}
	return f.Name(), f.Close()
}

func measure(one Key) (Member, error) {
	f, err := os.Open(one.Path)
	if err != nil {
		return Member{}, err
	}
	defer f.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, f)
	return Member{Name: one.Name, Size: n, SHA256: hex.EncodeToString(sum.Sum(nil))}, err
}

// write puts the archive together and gives it its name.
func (m Manifest) write(file string, paths []Key) error {
	draft, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+"-*.part") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(draft.Name()) // it has its other name by then, or none
	err = m.pack(draft, paths)
	if err := errors.Join(err, draft.Sync(), draft.Close()); err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	if err := place(draft.Name(), file); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(file))
}

func (m Manifest) pack(to io.Writer, paths []Key) error {
	archive := tar.NewWriter(to)
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	if err := m.add(archive, manifestName, int64(len(text)), bytes.NewReader(text)); err != nil {
		return err
	}
	for i, one := range paths {
		f, err := os.Open(one.Path)
		if err != nil {
			return err
		}
		err = m.add(archive, one.Name, m.Files[i].Size, f)
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return archive.Close()
}

func (m Manifest) add(archive *tar.Writer, name string, size int64, content io.Reader) error {
	if err := archive.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: size, ModTime: m.Made}); err != nil {
		return err
	}
	_, err := io.Copy(archive, content)
	return err
}

// place gives a file its name, unless there is one of that name. Where the
// file system has no links, one that appears in between is not noticed.
func place(draft, file string) error {
	err := os.Link(draft, file)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, err := os.Lstat(file); err == nil {
		return &fs.PathError{Op: "write", Path: file, Err: fs.ErrExist}
	}
	return os.Rename(draft, file)
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
