package app

import (
	"bufio"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// releasePages gives back the resident pages of the program's own file: the code
// that starts the program, and what only a burst of requests needs. The kernel
// keeps them in its page cache while it has room, and maps 16 at a time again
// where one is touched, in about a microsecond.
func releasePages() {
	name, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return
	}
	maps, err := os.Open("/proc/self/smaps")
	if err != nil {
		return
	}
	defer maps.Close()
	for _, m := range unwritten(maps, name) {
		// Pages that the kernel does not give back stay in memory.
		_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, m.start, m.end-m.start, syscall.MADV_DONTNEED)
	}
}

// mapping is a range of addresses.
type mapping struct{ start, end uintptr }

// unwritten returns the read-only mappings of the file in a list as smaps(5) has
// it, of which no page was written to since: of these the file holds the same.
// Relocations of a position independent program write to some, and so do the
// breakpoints of a debugger.
func unwritten(smaps io.Reader, file string) (all []mapping) {
	var at *mapping
	for lines := bufio.NewScanner(smaps); lines.Scan(); {
		words := strings.Fields(lines.Text())
		switch {
		case len(words) < 2:
		case words[0] == "Anonymous:" && at != nil && words[1] == "0":
			all = append(all, *at)
		case !strings.HasSuffix(words[0], ":"): // the line that a mapping begins with
			at = nil
			if len(words) == 6 && words[5] == file && strings.HasPrefix(words[1], "r-") {
				at = between(words[0])
			}
		}
	}
	return all
}

// between reads "00400000-018fd000".
func between(addresses string) *mapping {
	from, to, _ := strings.Cut(addresses, "-")
	start, err1 := strconv.ParseUint(from, 16, 64)
	end, err2 := strconv.ParseUint(to, 16, 64)
	if err1 != nil || err2 != nil || start >= end {
		return nil
	}
	return &mapping{uintptr(start), uintptr(end)}
}
