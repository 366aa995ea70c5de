package files

import (
	"os"

	"golang.org/x/sys/unix"
)

// startWriting has the kernel begin to write bytes of a file that are in its cache, and does not wait for
// the disk. Errors are seen by the fsync that follows.
func startWriting(f *os.File, from, n int64) {
	raw, err := f.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) { // or the file is closed
		_ = unix.SyncFileRange(int(fd), from, n, unix.SYNC_FILE_RANGE_WRITE)
	})
}
