package app

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"github.com/entwine-go/entwine/kit/internal/fastpath"
)

const (
	// idleTime is for how long a process does next to nothing before it gives
	// back the memory that it does not need.
	idleTime = 10 * time.Second
	// idleAllocation is the amount that an idle process may allocate meanwhile, by its
	// sweepers.
	idleAllocation = 2 << 20
)

// giveBack gives memory back when there is little to do, until ctx ends: once
// after it has started, and once after each burst. Memory that [collectRarely]
// allows to be allocated would stay with the process for as long as nothing else
// is allocated: Go does not shrink a heap below its goal.
func giveBack(ctx context.Context) error {
	if fastpath.Off() {
		return nil
	}
	ticker := time.NewTicker(idleTime)
	defer ticker.Stop()
	whenIdle(ctx, ticker.C, allocated, func() {
		debug.FreeOSMemory()
		releasePages() // after the collection, which touches much of them
	})
	return nil
}

// whenIdle calls free at the first tick between which and the one before next
// to nothing was allocated, and again after there was more.
func whenIdle(ctx context.Context, ticks <-chan time.Time, allocated func() uint64, free func()) {
	last, given := allocated(), false
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks:
		}
		now := allocated()
		idle := now-last < idleAllocation
		if idle && !given {
			free()
		}
		last, given = now, idle
	}
}

// allocated is how much the process has allocated since it began.
func allocated() uint64 {
	all := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(all)
	return all[0].Value.Uint64()
}
