//go:build unix

package web

import "syscall"

// attempt is a write that does not block. It is kept, so that it costs no
// allocation.
type attempt struct {
	text []byte
	n    int
	call func(fd uintptr) bool
}

// write writes what there is room for. An error is left to an ordinary write
// of the rest, which meets it again.
func (a *attempt) write(raw syscall.RawConn, b []byte) int {
	if raw == nil {
		return 0
	}
	if a.call == nil {
		a.call = func(fd uintptr) bool {
			n, err := syscall.Write(int(fd), a.text)
			for err == syscall.EINTR {
				n, err = syscall.Write(int(fd), a.text)
			}
			a.n = max(n, 0)
			return true // also where nothing was written: don't wait
		}
	}
	a.text, a.n = b, 0
	err := raw.Write(a.call)
	a.text = nil
	if err != nil {
		return 0
	}
	return a.n
}
