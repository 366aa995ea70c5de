//go:build !race

package web_test

import "testing"

// The race detector allocates too.
func TestTheEdgeIsCheap(t *testing.T) {
	const most = 17
	if got := testing.AllocsPerRun(200, exchanges(nil, 0)); got > most {
		t.Errorf("the edge allocates %v times for a request, want at most %d", got, most)
	}
}

func TestCountingAllocatesNothing(t *testing.T) {
	unobserved, counted := testing.AllocsPerRun(200, exchanges(nil, 0)), testing.AllocsPerRun(200, exchanges(counting(), 0))
	if counted > unobserved {
		t.Errorf("counting allocates %v times for a request", counted-unobserved)
	}
}
