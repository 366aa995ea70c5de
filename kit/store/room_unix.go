//go:build linux || darwin

package store

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// Room is how many bytes may be written to the file system of a folder, and how many
// it has in all. It is not known, and both are 0, where that can't be asked.
func Room(dir string) (free, all uint64) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, 0
	}
	free, all, _ = roomOf(&s)
	return free, all
}

// room finds that the file system of the file is full or read-only. Least is how many
// bytes there must be.
func room(file string, least uint64) *RefusalError {
	var s syscall.Statfs_t
	if err := syscall.Statfs(filepath.Dir(file), &s); err != nil {
		return nil //nolint:nilerr // it is not known
	}
	free, all, readOnly := roomOf(&s)
	if readOnly {
		return &RefusalError{ReadOnly, fmt.Sprintf("the file system of %s is read-only", file)}
	}
	if all > 0 && free < least {
		return &RefusalError{NoRoom, fmt.Sprintf("the file system of %s has less than %d KiB of room", file, least>>10)}
	}
	return nil
}

func roomOf(s *syscall.Statfs_t) (free, all uint64, readOnly bool) {
	blocks := s.Bavail
	if os.Geteuid() == 0 {
		blocks = s.Bfree
	}
	return blocks * uint64(s.Bsize), s.Blocks * uint64(s.Bsize), s.Flags&1 != 0 // ST_RDONLY, MNT_RDONLY
}
