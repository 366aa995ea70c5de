//go:build !unix

package store

import (
	"io"
	"os"
)

// Hold opens the file: without POSIX locks, the operator has to see to it that
// no other process has it open.
func Hold(file string) (io.Closer, error) { return os.OpenFile(file, os.O_RDWR, 0) }
