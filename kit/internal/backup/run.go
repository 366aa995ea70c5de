package backup

import (
	"archive/tar"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/internal/wal"
)

// A run is a folder with an archive and, in a log beside it, what was committed since.
const (
	runBase = "base.tar"
	runLog  = "changes"
	runTime = "-20060102T150405.000000Z"
)

var recordMagic = [4]byte{'e', 'w', 'c', '1'}

// recordHead comes before the packed pages of each [wal.Change] in a log.
type recordHead struct {
	Magic    [4]byte
	PageSize uint32
	Size     uint32 // of the database, in pages; zero within a transaction
	Pages    uint32
	Packed   uint64
	Time     int64 // when it was read, in nanoseconds since 1970
	// Sum is of the sum before it, the members above and what is packed.
	Sum [sha256.Size]byte
}

func (h recordHead) sum(before [sha256.Size]byte, packed []byte) [sha256.Size]byte {
	sum := sha256.New()
	_, _ = sum.Write(before[:])
	h.Sum = [sha256.Size]byte{}
	_ = binary.Write(sum, binary.BigEndian, h)
	_, _ = sum.Write(packed)
	return [sha256.Size]byte(sum.Sum(nil))
}

// Run is a run that is written.
type Run struct {
	// Dir is its folder.
	Dir string
	// Begun is the time in the folder's name.
	Begun time.Time
	log   *os.File
	size  int64
	count int
	sum   [sha256.Size]byte
}

// Begin makes a run in a folder.
func Begin(folder, program string, now time.Time) (*Run, error) {
	now = now.UTC().Truncate(time.Microsecond)
	r := &Run{Dir: filepath.Join(folder, program+now.Format(runTime)), Begun: now}
	r.sum = sha256.Sum256([]byte(filepath.Base(r.Dir)))
	if err := os.Mkdir(r.Dir, 0o700); err != nil {
		return nil, err
	}
	var err error
	if r.log, err = os.OpenFile(filepath.Join(r.Dir, runLog), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600); err != nil {
		return nil, err
	}
	return r, errors.Join(syncFolder(r.Dir), syncFolder(folder))
}

// Base is where its archive belongs. A run without one is not whole yet.
func (r *Run) Base() string { return filepath.Join(r.Dir, runBase) }

// Size is that of its log in bytes.
func (r *Run) Size() int64 { return r.size }

// Records is how many records its log has.
func (r *Run) Records() int { return r.count }

// Add writes a change, which is on the disk when it returns.
func (r *Run) Add(c wal.Change, now time.Time) error {
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestSpeed)
	if err != nil {
		return err
	}
	numbers := make([]uint32, 0, len(c.Pages))
	for number := range c.Pages {
		numbers = append(numbers, number)
	}
	slices.Sort(numbers)
	for _, number := range numbers {
		// A write to memory does not fail, and Close says what went wrong with packing.
		_ = binary.Write(w, binary.BigEndian, number)
		_, _ = w.Write(c.Pages[number])
	}
	if err := w.Close(); err != nil {
		return err
	}
	h := recordHead{
		Magic: recordMagic, PageSize: uint32(c.PageSize), Size: c.Size, Pages: uint32(len(numbers)),
		Packed: uint64(packed.Len()), Time: now.UnixNano(),
	}
	h.Sum = h.sum(r.sum, packed.Bytes())
	whole, err := binary.Append(nil, binary.BigEndian, h)
	if err != nil {
		return err
	}
	n, err := r.log.Write(append(whole, packed.Bytes()...))
	r.size, r.count, r.sum = r.size+int64(n), r.count+1, h.Sum
	return errors.Join(err, r.log.Sync())
}

// Close closes its log.
func (r *Run) Close() error { return r.log.Close() }

// Runs are the folders of the runs that a program has made in a folder, the oldest first,
// those that are not whole among them.
func Runs(folder, program string) (all []string, err error) {
	entries, err := os.ReadDir(folder)
	for _, one := range entries {
		if _, no := BegunAt(one.Name(), program); no == nil && one.IsDir() {
			all = append(all, filepath.Join(folder, one.Name()))
		}
	}
	return all, err
}

// BegunAt is the time in the name of a run's folder, an error for another folder.
func BegunAt(dir, program string) (time.Time, error) {
	return time.Parse(runTime, strings.TrimPrefix(filepath.Base(dir), program))
}

// Whole returns what is in the archive of a run, with [fs.ErrNotExist] where the run is
// not whole.
func Whole(dir string) (Manifest, error) {
	f, err := os.Open(filepath.Join(dir, runBase))
	if err != nil {
		return Manifest{}, err
	}
	defer f.Close()
	return readManifest(tar.NewReader(f))
}

// Pick returns the newest whole run of a folder, or the newest from which the state of a
// moment can be restored. The folder may be that of a run.
func Pick(folder, program string, until time.Time) (string, error) {
	all := []string{folder}
	if _, err := BegunAt(folder, program); err != nil {
		if all, err = Runs(folder, program); err != nil {
			return "", err
		}
	}
	earliest := time.Time{}
	for _, dir := range slices.Backward(all) {
		m, err := Whole(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", fmt.Errorf("%s: %w", dir, err)
		}
		earliest = m.Made.Add(time.Second) // the manifest has whole seconds
		if until.IsZero() || !until.Before(earliest) {
			return dir, nil
		}
	}
	if earliest.IsZero() {
		return "", fmt.Errorf("%s has no backup that %s backup --follow has made", folder, program)
	}
	return "", fmt.Errorf("the earliest moment that %s can restore is %s", folder, earliest.Format(time.RFC3339))
}
