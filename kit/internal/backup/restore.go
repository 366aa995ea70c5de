package backup

import (
	"archive/tar"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/store"
)

// Target is where what an archive holds is put.
type Target struct {
	// Database is the file of SQLite, empty where the database is on PostgreSQL.
	Database string
	// Keys are the files of keys that the service has.
	Keys []Key
	// Migrations are those that the program knows.
	Migrations fs.FS
	// Replace allows what is there to be replaced. Without it that is fs.ErrExist.
	Replace bool
	// Until leaves out what a run has recorded later. Zero: nothing.
	Until time.Time
}

// Restore puts back what the archive holds. Nothing is touched before all of
// it was read and found to be sound; then the keys take their places, and the
// database last. It fails with [store.ErrInUse] where a process has the
// database open, and with [ErrIncomplete] for what is not all of an archive.
//
// The file may be the folder of a run: then the time of the manifest is that of the last
// commit that was put back.
func Restore(ctx context.Context, file string, to Target) (m Manifest, err error) {
	run := ""
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		run, file = file, filepath.Join(file, runBase)
	}
	f, err := os.Open(file)
	if err != nil {
		return m, err
	}
	defer f.Close()
	archive := tar.NewReader(f)
	if m, err = readManifest(archive); err != nil {
		return m, err
	}
	files, err := to.files(m)
	if err != nil {
		return m, err
	}
	held, err := to.hold(m)
	if err != nil {
		return m, err
	}
	if held != nil {
		defer held.Close()
	}
	s := &staging{}
	defer s.clear()
	for i, member := range m.Files {
		if err := s.take(archive, member, files[i]); err != nil {
			return m, err
		}
		if run == "" || files[i] != to.Database {
			continue
		}
		last, err := replay(run, s.drafts[i], m.Records, to.Until)
		if err != nil {
			return m, err
		}
		if last.After(m.Made) {
			m.Made = last
		}
	}
	if err := s.check(ctx, to); err != nil {
		return m, err
	}
	return m, s.place(to)
}

func readManifest(archive *tar.Reader) (m Manifest, err error) {
	head, err := archive.Next()
	if err != nil || head.Name != manifestName || head.Size > manifestMost {
		return m, ErrIncomplete
	}
	text, err := io.ReadAll(archive)
	if err != nil {
		return m, fmt.Errorf("%w: %w", ErrIncomplete, err)
	}
	return parseManifest(text)
}

// files are where the members belong. It fails where there are files, unless
// Replace is set.
func (to Target) files(m Manifest) ([]string, error) {
	if m.Database == "sqlite" && to.Database == "" {
		return nil, errors.New("it is of a database of SQLite, and this service's is on PostgreSQL")
	}
	if m.Database != "sqlite" && to.Database != "" {
		return nil, errors.New("it is of a service whose database is on PostgreSQL, and this one's is a file of SQLite")
	}
	known := map[string]string{databaseName: to.Database}
	for _, key := range to.Keys {
		known[key.Name] = key.Path
	}
	var files []string
	for _, member := range m.Files {
		file := known[member.Name]
		if file == "" {
			return nil, fmt.Errorf("it holds %q, which this program does not know", member.Name)
		}
		info, err := os.Stat(file)
		if err == nil && info.Size() > 0 && !to.Replace {
			return nil, &fs.PathError{Op: "restore", Path: file, Err: fs.ErrExist}
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// hold keeps others from opening the database that is there, if one is.
func (to Target) hold(m Manifest) (io.Closer, error) {
	if m.Database != "sqlite" {
		return nil, nil
	}
	held, err := store.Hold(to.Database)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return held, err
}

// staging lists the files of an archive, and the drafts that they are written to
// beside their destinations.
type staging struct{ drafts, files []string }

// take reads a member.
func (s *staging) take(archive *tar.Reader, member Member, file string) error {
	head, err := archive.Next()
	if err != nil || head.Name != member.Name || head.Size != member.Size {
		return fmt.Errorf("%w: %s is missing", ErrIncomplete, member.Name)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	draft, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+"-*.part") // mode 0600
	if err != nil {
		return err
	}
	s.drafts, s.files = append(s.drafts, draft.Name()), append(s.files, file)
	sum := sha256.New()
	_, err = io.Copy(io.MultiWriter(draft, sum), archive)
	if err := errors.Join(draft.Sync(), draft.Close()); err != nil {
		return err
	}
	if err != nil || hex.EncodeToString(sum.Sum(nil)) != member.SHA256 {
		return fmt.Errorf("%w: %s is not what was written", ErrIncomplete, member.Name)
	}
	return nil
}

// check makes sure that the database is sound and that the program knows it.
func (s *staging) check(ctx context.Context, to Target) error {
	for i, file := range s.files {
		if file == to.Database {
			return check(ctx, s.drafts[i], to.Migrations)
		}
	}
	return nil
}

func check(ctx context.Context, file string, migrations fs.FS) error {
	db, err := store.Open(ctx, store.Config{URL: store.SQLiteURL(file)})
	if err != nil {
		return err
	}
	err = db.CheckIntegrity(ctx)
	if err == nil && migrations != nil {
		var r migration.Report
		if r, err = migration.Status(ctx, db, migrations); err == nil {
			err = r.Check()
		}
	}
	return errors.Join(err, db.Close())
}

// place gives everything its name: the database, which is the first, last.
func (s *staging) place(to Target) error {
	for i, file := range slices.Backward(s.files) {
		if file == to.Database {
			// With the log of another database, SQLite would take this one for damaged.
			if err := store.RemoveLog(file); err != nil {
				return err
			}
		}
		if err := os.Rename(s.drafts[i], file); err != nil {
			return err
		}
		if err := syncFolder(filepath.Dir(file)); err != nil {
			return err
		}
	}
	return nil
}

// clear removes what did not take its place.
func (s *staging) clear() {
	for _, draft := range s.drafts {
		_ = os.Remove(draft)
		_ = store.RemoveLog(draft) // of a check that failed
	}
}
