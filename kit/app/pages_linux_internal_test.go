//go:build linux

package app

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

const smaps = `00400000-018fd000 r-xp 00000000 fe:00 247741                     /srv/entwine
Size:              21492 kB
Rss:               17908 kB
Anonymous:             0 kB
VmFlags: rd ex mr mw me
018fd000-02e73000 r--p 014fd000 fe:00 247741                     /srv/entwine
Rss:               19476 kB
Anonymous:             4 kB
02e73000-03295000 rw-p 02a73000 fe:00 247741                     /srv/entwine
Rss:                 904 kB
Anonymous:             0 kB
03295000-05300000 rw-p 00000000 00:00 0
Anonymous:             0 kB
05300000-05400000 r--p 02a73000 fe:00 247741                     /srv/entwine
Anonymous:             0 kB
7f7ce7dc0000-7f7ce8300000 r-xp 00000000 fe:00 31                 /lib/libc.so.6
Anonymous:             0 kB
`

// Pages that were written to, and those of other files, are left alone.
func TestPagesThatTheFileHolds(t *testing.T) {
	t.Parallel()
	want := []mapping{{0x400000, 0x18fd000}, {0x5300000, 0x5400000}}
	if got := unwritten(strings.NewReader(smaps), "/srv/entwine"); !slices.Equal(got, want) {
		t.Errorf("%x, want %x", got, want)
	}
}

// The program finds its own code, and goes on without its pages.
func TestPagesOfTheProgramAreReleased(t *testing.T) {
	t.Parallel()
	name, err := os.Readlink("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	maps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	code := reflect.ValueOf(releasePages).Pointer()
	if !slices.ContainsFunc(unwritten(strings.NewReader(string(maps)), name), func(m mapping) bool { return m.start <= code && code < m.end }) {
		t.Errorf("no mapping of %s has its code:\n%s", name, maps)
	}
	releasePages()
}
