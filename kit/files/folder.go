package files

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// Folder stores blobs below a path, each under its SHA-256 sum and a part that no other
// upload has: "3a/3a7bd3….k2…". Every process of a service has the same folder.
type Folder struct{ Path string }

// drafts is the folder of what is under way: uploads, and marks of blobs whose row is
// about to be written or removed.
const drafts = "drafts"

// storedName is the form of a blob's name.
var storedName = regexp.MustCompile(`^([0-9a-f]{64})\.[a-z2-7]{26}$`)

// Draft is an upload that is under way. Its bytes become a blob by [Draft.Keep].
type Draft struct {
	folder *Folder
	file   *os.File
	sum    hash.Hash
	size   int64
}

// Draft begins an upload. The caller calls [Draft.Discard] in the end.
func (f *Folder) Draft() (*Draft, error) {
	folder := filepath.Join(f.Path, drafts)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of files: %w", err)
	}
	file, err := os.CreateTemp(folder, "*.part") // mode 0600
	if err != nil {
		return nil, fmt.Errorf("begin a file: %w", err)
	}
	return &Draft{folder: f, file: file, sum: sha256.New()}, nil
}

// Write implements io.Writer.
func (d *Draft) Write(p []byte) (int, error) {
	n, err := d.file.Write(p)
	d.sum.Write(p[:n])
	d.size += int64(n)
	return n, err
}

// Sum is the SHA-256 sum of what was written.
func (d *Draft) Sum() []byte { return d.sum.Sum(nil) }

// Keep makes a blob of what was written and returns its name. The bytes and the name are
// on the disk then. The blob has a mark until [Folder.unmark].
func (d *Draft) Keep() (name string, err error) {
	if err := errors.Join(d.file.Sync(), d.file.Close()); err != nil {
		return "", fmt.Errorf("write a file: %w", err)
	}
	name = hex.EncodeToString(d.Sum()) + "." + newKey()
	if err := d.folder.mark(name); err != nil {
		return "", err
	}
	to := d.folder.path(name)
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return "", fmt.Errorf("make the folder of a file: %w", err)
	}
	if err := os.Rename(d.file.Name(), to); err != nil {
		return "", fmt.Errorf("store a file: %w", err)
	}
	// The folder may be new, too.
	return name, errors.Join(syncFolder(filepath.Dir(to)), syncFolder(d.folder.Path))
}

// Discard removes what did not become a blob.
func (d *Draft) Discard() {
	_ = d.file.Close()           // it may be closed
	_ = os.Remove(d.file.Name()) // it may have its other name
}

// Open opens a blob, which the caller closes.
func (f *Folder) Open(name string) (*os.File, error) { return os.Open(f.path(name)) }

// Remove removes a blob. One that is gone is no error.
func (f *Folder) Remove(name string) error {
	if err := os.Remove(f.path(name)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// path is where the blob with the name is.
func (f *Folder) path(name string) string { return filepath.Join(f.Path, name[:2], name) }

// Each calls do with each blob, in the order of their names, and since when it has been there.
func (f *Folder) Each(do func(name string, since time.Time) error) error {
	return filepath.WalkDir(f.Path, func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil // no file was ever stored, or one is gone meanwhile
		case err != nil:
			return err
		case d.IsDir() && d.Name() == drafts:
			return fs.SkipDir
		case d.IsDir() || !storedName.MatchString(d.Name()):
			return nil
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		return do(d.Name(), info.ModTime())
	})
}

// verify reports whether a blob has the bytes that its name says.
func (f *Folder) verify(name string) (bool, error) {
	file, err := f.Open(name)
	if err != nil {
		return false, err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return false, err
	}
	return strings.HasPrefix(name, hex.EncodeToString(sum.Sum(nil))+"."), nil
}

// newKey is a text that cannot be guessed: 26 small letters and digits.
func newKey() string { return strings.ToLower(rand.Text()) }

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
