//go:build !linux

package web

import "syscall"

// idle would wait for many clients: here a goroutine reads for each.
type idle struct{}

func (*idle) await(syscall.RawConn, func()) (stop func()) { return nil }

func (*idle) close() {}
