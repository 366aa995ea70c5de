package backup

import (
	"bufio"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// packedMost bounds what is read of a record at once: what the pages of a change can have.
const packedMost = 4096 * (1<<16 + 64)

// record is one that was found to be what was written.
type record struct {
	recordHead
	packed []byte
}

// records calls do with each record of a run's log, up to the end, or to the first that is
// not whole, as the last one is where its writer was killed. One that was changed since is
// an error where others follow it.
func records(dir string, do func(r record) error) error {
	f, err := os.Open(filepath.Join(dir, runLog))
	if err != nil {
		return err
	}
	defer f.Close()
	from := bufio.NewReaderSize(f, 1<<16)
	sum := sha256.Sum256([]byte(filepath.Base(dir)))
	for n := 1; ; n++ {
		var r record
		err := binary.Read(from, binary.BigEndian, &r.recordHead)
		if err == nil && (r.Magic != recordMagic || r.Packed > packedMost) {
			err = errChanged
		}
		if err == nil {
			r.packed = make([]byte, r.Packed)
			_, err = io.ReadFull(from, r.packed)
		}
		if err == nil && r.sum(sum, r.packed) != r.Sum {
			err = errChanged
		}
		if errors.Is(err, errChanged) {
			if _, more := from.ReadByte(); more == nil {
				return fmt.Errorf("%w: record %d of %s", errChanged, n, f.Name())
			}
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, errChanged) {
			return nil
		}
		if err != nil {
			return err
		}
		sum = r.Sum
		if err := do(r); err != nil {
			return err
		}
	}
}

var errChanged = errors.New("it is not what was written")

// replay writes into a database what a run's log has: the first records, of which the
// database has parts, and those that follow until the time, zero for all. It returns the
// time of the last commit among them, zero for none.
func replay(dir, database string, first int, until time.Time) (last time.Time, err error) {
	count, end := 0, 0
	err = records(dir, func(r record) error {
		at := time.Unix(0, r.Time).UTC()
		if count++; r.Size > 0 && (count <= first || until.IsZero() || !at.After(until)) {
			end, last = count, at
		}
		return nil
	})
	if err == nil && end < first {
		err = fmt.Errorf("%w: %s has %d records, and %d belong to %s", ErrIncomplete, filepath.Join(dir, runLog), end, first, runBase)
	}
	if err != nil || end == 0 {
		return last, err
	}
	to, err := os.OpenFile(database, os.O_WRONLY, 0)
	if err != nil {
		return last, err
	}
	count = 0
	err = records(dir, func(r record) error {
		if count++; count > end {
			return nil
		}
		return r.write(to)
	})
	return last, errors.Join(err, to.Sync(), to.Close())
}

// write puts the pages of a record where they belong.
func (r record) write(to *os.File) error {
	from := flate.NewReader(bytes.NewReader(r.packed))
	page := make([]byte, r.PageSize)
	for range r.Pages {
		var number uint32
		if err := binary.Read(from, binary.BigEndian, &number); err != nil {
			return err
		}
		if _, err := io.ReadFull(from, page); err != nil {
			return err
		}
		if _, err := to.WriteAt(page, int64(number-1)*int64(r.PageSize)); err != nil {
			return err
		}
	}
	if r.Size == 0 {
		return nil
	}
	return to.Truncate(int64(r.Size) * int64(r.PageSize))
}
