//go:build unix

package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

// Hold keeps other processes from opening the file with SQLite until it is
// closed, or fails with [ErrInUse] where one has it open. It does not need the
// content to be a database. This process must not have the file open.
//
// SQLite locks bytes at 1 GiB of the file (https://www.sqlite.org/fileformat.html#the_lock_byte_page):
// who has a database in WAL mode open has a shared lock there all the time.
func Hold(file string) (io.Closer, error) {
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	lock := &syscall.Flock_t{Type: syscall.F_WRLCK, Whence: io.SeekStart, Start: 1 << 30, Len: 512}
	err = syscall.FcntlFlock(f.Fd(), syscall.F_SETLK, lock)
	if errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EACCES) {
		err = ErrInUse
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", file, err), f.Close())
	}
	return f, nil
}
