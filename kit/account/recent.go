package account

import (
	"cmp"
	"sync"
	"time"

	"github.com/entwine-go/entwine/kit/viewer"
)

// maxAge is how long what was proven is believed where no wake-up says that
// it has ended, and so how long a credential that was taken back may still
// work in another process (doc/api/permissions.md).
const maxAge = 2 * time.Second

// streamAge is that for what goes on after its request. Streams ask each second
// (live.Lists.Proof): with that it is less than maxAge until they hear.
const streamAge = 900 * time.Millisecond

// generation bounds what is remembered: two generations, so many each.
const generation = 10_000

// recent remembers for a moment whom a credential belongs to: to prove it
// again for each request would cost more than answering most.
type recent struct {
	endings *endings
	age     time.Duration // for how long: maxAge where it is 0

	mu         sync.RWMutex
	young, old map[string]proof
	since      time.Time // when young was begun
}

// proof is the owner of a credential.
type proof struct {
	viewer *viewer.Viewer
	until  time.Time
	began  uint64 // on the clock of endings
	parts  viewerParts
}

// get returns the viewer of the credential, nil where it must be proven.
func (r *recent) get(credential string, now time.Time) *viewer.Viewer {
	found := r.find(credential)
	if !now.Before(found.until) || r.endings.since(found.began, found.parts) {
		return nil
	}
	return found.viewer
}

func (r *recent) find(credential string) proof {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if found, ok := r.young[credential]; ok {
		return found
	}
	return r.old[credential]
}

// put remembers what a proof that began at start, and at began on the clock
// of endings, has shown. The credential itself may end earlier: expires,
// unless it is zero.
func (r *recent) put(credential string, v *viewer.Viewer, start time.Time, began uint64, expires time.Time) {
	age := cmp.Or(r.age, maxAge)
	until := start.Add(age)
	if !expires.IsZero() && expires.Before(until) {
		until = expires
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.young == nil || len(r.young) >= generation || start.Sub(r.since) >= age {
		r.young, r.old, r.since = make(map[string]proof), r.young, start
	}
	r.young[credential] = proof{v, until, began, partsOf(v)}
}
