// Package wal follows the write-ahead log of a SQLite file that other processes write,
// and gives what each of their commits changed, page by page, without gaps.
//
// SQLite begins its log anew once all of it is in the database file and no reader needs
// it, and then overwrites it. A [Follower] holds a read transaction at each moment, and
// lets go of one only when another has begun and all that was there at its beginning has
// been handed out. So what it has not read can be neither overwritten nor left out: see
// [Follower.Next]. The format of the log is that of https://www.sqlite.org/fileformat.html#the_write_ahead_log,
// the rules of its locks those of https://www.sqlite.org/walformat.html.
package wal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

const (
	headerSize      = 32
	frameHeaderSize = 24
	// changeFrames bounds how many frames a [Change] is made of, and so its memory.
	changeFrames = 4096
)

// ErrGap says that the log began anew more than once, or is of another file: what was
// committed meanwhile is not known, and one has to begin with all pages.
var ErrGap = errors.New("the log of the database does not go on where it was read last")

// Change has the pages that commits changed.
type Change struct {
	PageSize int
	// Pages are the last contents of pages by their numbers, which begin with 1.
	Pages map[uint32][]byte
	// Size is how many pages the database has after it. Zero: it ends within a
	// transaction, and the next change goes on with that.
	Size uint32
}

// header is the first part of a log.
type header struct {
	order    binary.ByteOrder // that of sums
	pageSize int
	salt     [2]uint32 // the first counts how often the log began anew
	sum      [2]uint32
}

// position is where a log was read to.
type position struct {
	salt  [2]uint32
	frame int64
	sum   [2]uint32
}

// readHeader returns the header, with ok false for a log that is empty.
func readHeader(log io.ReaderAt) (h header, ok bool, err error) {
	var b [headerSize]byte
	if n, err := log.ReadAt(b[:], 0); err != nil {
		if n == 0 && errors.Is(err, io.EOF) {
			return h, false, nil
		}
		return h, false, err
	}
	magic := binary.BigEndian.Uint32(b[:])
	if magic&^1 != 0x377f0682 {
		return h, false, fmt.Errorf("the log of the database begins with %x", b[:4])
	}
	h.order = binary.LittleEndian
	if magic&1 == 1 {
		h.order = binary.BigEndian
	}
	h.pageSize = int(binary.BigEndian.Uint32(b[8:]))
	h.salt = pair(b[16:])
	h.sum = pair(b[24:])
	if checksum(h.order, [2]uint32{}, b[:24]) != h.sum {
		return h, false, errors.New("the log of the database has a header whose sum is wrong")
	}
	return h, true, nil
}

func pair(b []byte) [2]uint32 {
	return [2]uint32{binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:])}
}

// checksum goes on with a sum over a number of bytes that eight divides.
func checksum(order binary.ByteOrder, sum [2]uint32, b []byte) [2]uint32 {
	for ; len(b) >= 8; b = b[8:] {
		sum[0] += order.Uint32(b) + sum[1]
		sum[1] += order.Uint32(b[4:]) + sum[0]
	}
	return sum
}

// frames reads the log from a position to the frame, hands out what it finds, and
// returns the position after it. do is nil for nothing to be handed out.
func frames(log io.ReaderAt, h header, at position, to int64, do func(Change) error) (position, error) {
	b := make([]byte, frameHeaderSize+h.pageSize)
	c := Change{PageSize: h.pageSize, Pages: map[uint32][]byte{}}
	for n := int64(0); at.frame < to; n++ {
		if _, err := log.ReadAt(b, headerSize+at.frame*int64(len(b))); err != nil {
			return at, fmt.Errorf("read the log of the database: %w", err)
		}
		sum := checksum(h.order, checksum(h.order, at.sum, b[:8]), b[frameHeaderSize:])
		if pair(b[8:]) != h.salt || pair(b[16:]) != sum {
			return at, fmt.Errorf("%w: frame %d of %d is not of it", ErrGap, at.frame+1, to)
		}
		at.frame, at.sum = at.frame+1, sum
		if do == nil {
			continue
		}
		number := binary.BigEndian.Uint32(b)
		c.Pages[number] = append(c.Pages[number][:0], b[frameHeaderSize:]...)
		c.Size = binary.BigEndian.Uint32(b[4:])
		if at.frame == to || n%changeFrames == changeFrames-1 {
			if err := do(c); err != nil {
				return at, err
			}
			clear(c.Pages)
		}
	}
	return at, nil
}

// open opens the log, nil where there is none. Nothing locks that file, so it may be
// closed while others of this process have the database open.
func open(file string) (*os.File, error) {
	f, err := os.Open(file + "-wal")
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return f, err
}
