//go:build unix && !linux

package web

import "syscall"

// send writes to the socket.
func (a *attempt) send(fd int) (int, error) { return syscall.Write(fd, a.text) }
