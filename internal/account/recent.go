package account

import (
	"sync"
	"time"

	"github.com/entwine-go/entwine/kit/viewer"
)

// maxAge is how long what was proven is believed, and so how long a
// credential that was taken back still works (doc/api/permissions.md).
const maxAge = 2 * time.Second

// generation bounds what is remembered: two generations, so many each.
const generation = 10_000

// recent remembers for a moment whom a credential belongs to: to prove it
// again for each request would cost more than answering most. The zero value
// is ready for use.
type recent struct {
	mu         sync.RWMutex
	young, old map[string]proof
	since      time.Time // when young was begun
}

// proof is whom a credential belongs to.
type proof struct {
	viewer *viewer.Viewer
	until  time.Time
}

// get returns the viewer of the credential, nil where it must be proven.
func (r *recent) get(credential string, now time.Time) *viewer.Viewer {
	r.mu.RLock()
	defer r.mu.RUnlock()
	found, ok := r.young[credential]
	if !ok {
		found = r.old[credential]
	}
	if !now.Before(found.until) {
		return nil
	}
	return found.viewer
}

// put remembers what a proof that began at start has shown. The credential
// itself may end earlier: expires, unless it is zero.
func (r *recent) put(credential string, v *viewer.Viewer, start, expires time.Time) {
	until := start.Add(maxAge)
	if !expires.IsZero() && expires.Before(until) {
		until = expires
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.young == nil || len(r.young) >= generation || start.Sub(r.since) >= maxAge {
		r.young, r.old, r.since = make(map[string]proof), r.young, start
	}
	r.young[credential] = proof{v, until}
}
