//go:build !race

package web_test

import "testing"

// The race detector allocates too.
func TestTheEdgeIsCheap(t *testing.T) {
	const most = 15
	if got := testing.AllocsPerRun(200, exchanges()); got > most {
		t.Errorf("the edge allocates %v times for a request, want at most %d", got, most)
	}
}
