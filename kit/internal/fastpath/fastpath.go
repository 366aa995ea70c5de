// Package fastpath is the one switch of what the kit does below lib/pq, net/http and
// Go's memory in their place (doc/adr/0016-below-the-drivers.md): an operator who
// suspects one of it turns all of it off, and tests of the packages pass both ways.
//
// It is the process's, and no part of any configuration: a package asks it where it
// would take the longer way.
package fastpath

import (
	"os"
	"sync/atomic"
)

// Setting is the name of the environment variable with which a process, or a test,
// begins: "false" turns fast paths off.
const Setting = "ENTWINE_FAST_PATHS"

var off = func() *atomic.Bool {
	off := new(atomic.Bool)
	off.Store(os.Getenv(Setting) == "false")
	return off
}()

// Off reports whether the libraries do all of their work themselves.
func Off() bool { return off.Load() }

// TurnOff turns fast paths off, for connections that are made from then on.
func TurnOff() { off.Store(true) }
