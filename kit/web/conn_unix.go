//go:build unix

package web

import (
	"errors"
	"syscall"
)

// attempt is a write that does not block. It is kept, so that it costs no
// allocation.
type attempt struct {
	text []byte
	more bool // follows at once
	n    int
	call func(fd uintptr) bool
}

// write writes what there is room for. An error is left to an ordinary write
// of the rest, which meets it again. More says that more follows at once.
func (a *attempt) write(raw syscall.RawConn, b []byte, more bool) int {
	if raw == nil {
		return 0
	}
	if a.call == nil {
		a.call = func(fd uintptr) bool {
			n, err := a.send(int(fd))
			for errors.Is(err, syscall.EINTR) {
				n, err = a.send(int(fd))
			}
			a.n = max(n, 0)
			return true // also where nothing was written: don't wait
		}
	}
	a.text, a.n, a.more = b, 0, more
	err := raw.Write(a.call)
	a.text = nil
	if err != nil {
		return 0
	}
	return a.n
}

// peeks is set where [peek] works.
const peeks = true

// peek waits for the client to send something or to leave, and reads nothing. It
// returns 0 and no error where the client has left.
func peek(raw syscall.RawConn) (n int, err error) {
	var room [1]byte
	waited := raw.Read(func(fd uintptr) bool {
		for {
			if n, _, err = syscall.Recvfrom(int(fd), room[:], syscall.MSG_PEEK); !errors.Is(err, syscall.EINTR) {
				return !errors.Is(err, syscall.EAGAIN)
			}
		}
	})
	if waited != nil {
		return 0, waited
	}
	return n, err
}
