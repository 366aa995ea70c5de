//go:build !race

package web_test

import (
	"testing"

	"github.com/entwine-go/entwine/kit/internal/telemetry"
	"github.com/entwine-go/entwine/kit/internal/trail"
)

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

// A sample of requests is kept to be explained, and the others pay nothing for it.
func TestRequestsThatAreNotKeptAllocateNothing(t *testing.T) {
	sampled := (&telemetry.Telemetry{Trails: new(trail.Keeper)}).Requests()
	unobserved, left := testing.AllocsPerRun(200, exchanges(nil, 0)), testing.AllocsPerRun(200, exchanges(sampled, 0))
	if left > unobserved {
		t.Errorf("a request that is not kept allocates %v times more", left-unobserved)
	}
}
