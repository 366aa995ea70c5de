//go:build !unix

package web

import "syscall"

// attempt is a write that does not block. There is none here, so that each
// write counts as one that may.
type attempt struct{}

func (*attempt) write(syscall.RawConn, []byte, bool) int { return 0 }

// peeks is not set where the system can't tell of a client without reading.
const peeks = false

func peek(syscall.RawConn) (int, error) { return 0, nil }
