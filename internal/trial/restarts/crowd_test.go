//go:build unix

package restarts_test

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/entwine-go/entwine/internal/trial"
)

// crowdSize is how many connections TestACrowd opens: make faults says 2,000.
var crowdSize = flag.Int("crowd", 100, "how many subscribers are there at a time")

// A crowd of connections, each with a subscription, costs little while nothing
// happens. When something does, all of them hear it, but for one that reads
// nothing and holds up no other.
func TestACrowd(t *testing.T) {
	c := startChain(t, "ENTWINE_CONNECTIONS=100000", "GOGC=")
	defer c.stop(t)
	auth := (&trial.Service{URL: c.url}).SignUp(t)
	_ = trial.Join(t.Context(), t, c.url) // which reads nothing from now on
	before := memory(t, c.pid)
	crowd := make([]*websocket.Conn, *crowdSize)
	var joining sync.WaitGroup
	for part := range slices.Chunk(crowd, max(1, len(crowd)/8)) {
		joining.Go(func() {
			for i := range part {
				part[i] = trial.Join(t.Context(), t, c.url)
			}
		})
	}
	joining.Wait()
	idle := memory(t, c.pid)
	t.Logf("%d subscriptions: %d MiB resident, %d before them", len(crowd), idle>>10, before>>10)
	if idle > 150<<10 {
		t.Errorf("%d idle subscriptions take %d MiB", len(crowd), idle>>10)
	}

	const rounds = 5
	client := &http.Transport{}
	defer client.CloseIdleConnections()
	for range rounds {
		took := make([]time.Duration, min(len(crowd), 1000))
		var hearing sync.WaitGroup
		began := make(chan struct{})
		var at time.Time
		for i, ws := range crowd {
			hearing.Go(func() {
				if _, _, err := ws.Read(t.Context()); err != nil {
					t.Error(err)
				}
				<-began
				if i < len(took) {
					took[i] = time.Since(at)
				}
			})
		}
		at = time.Now()
		close(began)
		if _, err := publishPost(client, c.url, auth[1]); err != nil {
			t.Fatal(err)
		}
		hearing.Wait()
		slices.Sort(took)
		t.Logf("an event reached half of %d after %v, 99%% after %v", len(crowd), took[len(took)/2], took[len(took)*99/100])
	}
	for _, ws := range crowd {
		_ = ws.CloseNow()
	}
}

// memory returns a process's resident set in KiB.
func memory(t *testing.T, pid int) (kib int) {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Skipf("NOT TESTED how much memory subscriptions take: %v", err)
	}
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	if _, err := fmt.Sscanf(rest, "%d", &kib); err != nil {
		t.Fatal(err)
	}
	return kib
}
