//go:build linux || darwin

package store

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// room finds that the file system of the file is full or read-only. Least is how many
// bytes there must be.
func room(file string, least uint64) *RefusalError {
	var s syscall.Statfs_t
	if err := syscall.Statfs(filepath.Dir(file), &s); err != nil {
		return nil //nolint:nilerr // it is not known
	}
	const readOnly = 1 // ST_RDONLY, MNT_RDONLY
	if s.Flags&readOnly != 0 {
		return &RefusalError{ReadOnly, fmt.Sprintf("the file system of %s is read-only", file)}
	}
	blocks := s.Bavail
	if os.Geteuid() == 0 {
		blocks = s.Bfree
	}
	if s.Blocks > 0 && blocks*uint64(s.Bsize) < least {
		return &RefusalError{NoRoom, fmt.Sprintf("the file system of %s has less than %d KiB of room", file, least>>10)}
	}
	return nil
}
