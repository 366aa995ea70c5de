//go:build unix

package app

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"syscall"

	"github.com/entwine-go/entwine/kit/store"
)

// aloneFile is where a successor finds the lock of the process before it.
const aloneFile = 5

// alone makes sure that no other process serves the SQLite file where each
// would have a queue and wake-ups of its own, and would hear nothing of what
// the other accepts. It takes a lock beside the file, which the kernel drops
// with the last process that has it: a successor shares it until the process
// before it ends. Where several may serve, there is no lock.
func (p *Process) alone(db *store.DB) (*os.File, error) {
	if p.Config.RedisURL != "" || db.File() == "" {
		return nil, nil
	}
	name := db.File() + ".lock"
	if slices.Contains(p.Environ, successorMark+"=1") {
		if f := os.NewFile(aloneFile, name); f != nil {
			syscall.CloseOnExec(aloneFile)
			if err := lock(f); err == nil {
				return f, nil
			}
			_ = f.Close() // the process before this one has no lock, or another one
		}
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := lock(f); err != nil {
		_ = f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = fmt.Errorf("another process serves %s: stop it, or set ENTWINE_REDIS_URL in both to the Redis that they are to share", db.File())
		}
		return nil, err
	}
	return f, nil
}

// lock locks the file, unless another process has it locked. A file that was
// handed on is locked already.
func lock(f *os.File) error {
	for {
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
