//go:build !unix

package store

import (
	"io"
	"os"
)

// Hold opens the file: where there are no locks of POSIX, it is left to the
// caller that nobody else has.
func Hold(file string) (io.Closer, error) { return os.OpenFile(file, os.O_RDWR, 0) }
