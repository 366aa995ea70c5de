package app

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"github.com/entwine-go/entwine/kit/internal/fastpath"
)

const (
	// headroom is the least amount of allocation between two collections of garbage.
	// Go collects when as much was allocated as lives: in a process that serves small
	// requests that is little, and collecting it every few hundred of them is a
	// quarter of what they cost.
	headroom = 28 << 20
	// busyHeadroom is that of a process that has used up the other in less than busy.
	// The memory is given back once the process is idle: see [giveBack].
	busyHeadroom = 64 << 20
	busy         = time.Second
)

// collectRarely keeps to the headroom from now on: after each collection it
// sets the percentage of what lives that may be allocated until the next. Where
// more than the headroom lives it is Go's own 100, so that memory grows by no
// more than the headroom. GOGC, if set, holds instead, and Go's own where fast paths are off.
func collectRarely() {
	if os.Getenv("GOGC") == "" && !fastpath.Off() {
		afterCollection(100, time.Now())
	}
}

// sentinel is unreachable from the start, so that the next collection finds it.
type sentinel struct{ _ *int }

// afterCollection sets the percentage, which is this by now, after the next
// collection and each that follows. The last was at a time.
func afterCollection(percent int, last time.Time) {
	runtime.AddCleanup(new(sentinel), func(percent int) {
		live, now := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}, time.Now()
		metrics.Read(live)
		room := headroom
		if now.Sub(last) < busy {
			room = busyHeadroom
		}
		want := max(100, int(uint64(room)*100/max(live[0].Value.Uint64(), 1<<20)))
		if want > percent*11/10 || want < percent*10/11 { // it stops the world for a moment
			debug.SetGCPercent(want)
			percent = want
		}
		afterCollection(percent, now)
	}, percent)
}
