//go:build unix

package source

import (
	"errors"
	"os"
	"syscall"
)

// lock locks what is open, unless another process has it locked.
func lock(f *os.File) (free bool, err error) {
	for {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case errors.Is(err, syscall.EWOULDBLOCK):
			return false, nil
		case !errors.Is(err, syscall.EINTR):
			return err == nil, err
		}
	}
}
