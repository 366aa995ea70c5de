//go:build unix

package store

import "syscall"

// alive reports whether an idle connection can be used. The server says
// nothing to an idle client but goodbye, so anything to be read, and the end
// of what there is to read, mean that it is closing: to send a statement and
// lose the answer would leave its outcome unknown.
func (w *wire) alive() bool {
	c, ok := w.Conn.(syscall.Conn)
	if !ok {
		return true
	}
	raw, err := c.SyscallConn()
	if err != nil {
		return false
	}
	silent := false
	err = raw.Control(func(fd uintptr) {
		var b [1]byte
		_, _, err := syscall.Recvfrom(int(fd), b[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		silent = err == syscall.EAGAIN || err == syscall.EWOULDBLOCK || err == syscall.EINTR
	})
	return err == nil && silent
}
