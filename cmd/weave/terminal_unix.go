//go:build unix

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// columns is the width of the terminal, 0 where it is not known.
func columns(terminal *os.File) int {
	size, err := unix.IoctlGetWinsize(int(terminal.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0
	}
	return int(size.Col)
}
