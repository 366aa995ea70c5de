package web

import "syscall"

// send writes to the socket. Where more follows at once, the kernel waits for
// that, and sends both together.
func (a *attempt) send(fd int) (int, error) {
	if !a.more {
		return syscall.Write(fd, a.text)
	}
	return syscall.SendmsgN(fd, a.text, nil, nil, syscall.MSG_MORE)
}
