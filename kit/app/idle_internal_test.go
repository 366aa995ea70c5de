package app

import (
	"testing"
	"testing/synctest"
	"time"
)

// Memory is given back once in each time without work, and never during work.
func TestMemoryIsGivenBackWhenIdle(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const work, rest = idleAllocation, idleAllocation / 2
		ticks := make(chan time.Time)
		var total uint64
		freed := 0
		go whenIdle(t.Context(), ticks, func() uint64 { return total }, func() { freed++ })
		synctest.Wait()
		for i, step := range []struct {
			allocates uint64
			freed     int
		}{{work, 0}, {work, 0}, {rest, 1}, {rest, 1}, {0, 1}, {work, 1}, {rest, 2}, {work, 2}, {work, 2}, {0, 3}} {
			total += step.allocates
			ticks <- time.Time{}
			synctest.Wait()
			if freed != step.freed {
				t.Errorf("after step %d memory was given back %d times, want %d", i, freed, step.freed)
			}
		}
	})
}
