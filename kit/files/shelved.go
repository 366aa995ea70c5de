package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
)

// Join implements [Joiner]: what it makes is a folder with a hard link to each part, which is named
// by how many bytes come before it. File systems without hard links are not supported.
func (f *Folder) Join(_ context.Context, key string, parts []Object, tail *os.File) error {
	made, err := os.MkdirTemp(f.Spool(), "*.part")
	if err != nil {
		return fmt.Errorf("make the folder of a file: %w", err)
	}
	defer os.RemoveAll(made) // it may have its other name
	offset := int64(0)
	for _, p := range parts {
		err := os.Link(f.path(p.Key), filepath.Join(made, partName(offset)))
		if errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err != nil {
			return fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
		}
		offset += p.Size
	}
	if tail != nil {
		if err = tail.Sync(); err == nil {
			err = os.Rename(tail.Name(), filepath.Join(made, partName(offset)))
		}
		if err != nil {
			return fmt.Errorf("store the last part of a file: %w", err)
		}
	}
	if err := syncFolder(made); err != nil {
		return fmt.Errorf("store a file: %w", err)
	}
	return f.place(made, key)
}

// partName is the name of a part before which come so many bytes. Names sort as the parts do.
func partName(offset int64) string { return fmt.Sprintf("%016x", offset) }

// shelved is a reader of a folder that [Folder.Join] has made. Its parts begin at starts, and it
// reads from at on.
type shelved struct {
	path     string
	starts   []int64
	size     int64
	at, left int64
	open     *os.File
	part     io.LimitedReader
}

// shelve looks at what is in a folder.
func shelve(path string) (*shelved, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	s := &shelved{path: path}
	for _, e := range entries {
		start, err := strconv.ParseInt(e.Name(), 16, 64)
		if err != nil {
			return nil, fmt.Errorf("%s is in the folder of a file: %w", e.Name(), err)
		}
		s.starts = append(s.starts, start)
	}
	if len(entries) == 0 {
		return s, nil
	}
	slices.Sort(s.starts)
	last, err := os.Stat(filepath.Join(path, partName(s.starts[len(s.starts)-1])))
	if err != nil {
		return nil, err
	}
	s.size = s.starts[len(s.starts)-1] + last.Size()
	return s, nil
}

// openShelved opens a part of what Join has made.
func openShelved(path string, offset, length int64) (*Content, error) {
	s, err := shelve(path)
	if err != nil {
		return nil, err
	}
	if s.at, s.left = offset, s.size-offset; length >= 0 {
		s.left = min(s.left, length)
	}
	return &Content{s, s.size}, nil
}

// Read implements io.Reader.
func (s *shelved) Read(b []byte) (int, error) {
	for s.left > 0 {
		if s.open == nil {
			if err := s.next(); err != nil {
				return 0, err
			}
		}
		n, err := s.part.Read(b)
		s.at, s.left = s.at+int64(n), s.left-int64(n)
		switch {
		case n > 0:
			return n, nil
		case errors.Is(err, io.EOF):
			_ = s.Close() // all of it was read
		case err != nil:
			return 0, err
		}
	}
	return 0, io.EOF
}

// send implements sender.
func (s *shelved) send(to func(*os.File, int64) (int64, error)) (sent int64, err error) {
	for s.left > 0 {
		if s.open == nil {
			if err := s.next(); err != nil {
				return sent, err
			}
		}
		n, err := to(s.open, s.part.N)
		s.at, s.left, s.part.N, sent = s.at+n, s.left-n, s.part.N-n, sent+n
		if err != nil || s.part.N > 0 {
			return sent, err
		}
		_ = s.Close() // all of it was sent
	}
	return sent, nil
}

// next opens the part in which the reader is.
func (s *shelved) next() error {
	i := sort.Search(len(s.starts), func(i int) bool { return s.starts[i] > s.at }) - 1
	end := s.size
	if i+1 < len(s.starts) {
		end = s.starts[i+1]
	}
	file, err := os.Open(filepath.Join(s.path, partName(s.starts[i])))
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err == nil && s.starts[i]+info.Size() != end {
		err = fmt.Errorf("a part of a file has %d bytes, want %d", info.Size(), end-s.starts[i])
	}
	if err == nil {
		_, err = file.Seek(s.at-s.starts[i], io.SeekStart)
	}
	if err != nil {
		file.Close()
		return err
	}
	s.open, s.part = file, io.LimitedReader{R: file, N: min(end-s.at, s.left)}
	return nil
}

// Close implements io.Closer.
func (s *shelved) Close() error {
	if s.open == nil {
		return nil
	}
	err := s.open.Close()
	s.open = nil
	return err
}

// removeShelved removes what Join has made: from its place at once, so that none of it is served
// while its parts go.
func (f *Folder) removeShelved(path string) error {
	if err := os.MkdirAll(f.Spool(), 0o700); err != nil {
		return err
	}
	to := filepath.Join(f.Spool(), newKey()+".part")
	if err := missing(os.Rename(path, to)); err != nil {
		return err
	}
	return os.RemoveAll(to)
}
