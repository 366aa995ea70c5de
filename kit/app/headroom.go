package app

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// headroom is what may at least be allocated between two collections of
// garbage. Go collects when as much was allocated as lives: in a process that
// serves small requests that is little, and collecting it every few hundred of
// them is a quarter of what they cost.
const headroom = 28 << 20

// collectRarely keeps to the headroom from now on: after each collection it
// sets the percentage of what lives that may be allocated until the next. Where
// more than the headroom lives it is Go's own 100, so that memory grows by no
// more than the headroom. GOGC, if set, holds instead.
func collectRarely() {
	if os.Getenv("GOGC") == "" {
		afterCollection(100)
	}
}

// sentinel is garbage as soon as it is made.
type sentinel struct{ _ *int }

// afterCollection sets the percentage, which is this by now, after the next
// collection and each that follows.
func afterCollection(percent int) {
	runtime.AddCleanup(new(sentinel), func(percent int) {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		want := max(100, int(headroom*100/max(live[0].Value.Uint64(), 1<<20)))
		if want > percent*11/10 || want < percent*10/11 { // it stops the world for a moment
			debug.SetGCPercent(want)
			percent = want
		}
		afterCollection(percent)
	}, percent)
}
