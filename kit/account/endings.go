package account

import (
	"context"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/entwine-go/entwine/kit/pubsub"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// parts is how many topics there are of endings. A wake-up names no viewer:
// with many topics most viewers of a busy service need not be proven again
// when one of them signs out.
const parts = 64

// ended wakes every [Verifier] that believes in a viewer of the name, once
// the context's transaction has been committed. It is for what ends with a
// sign-in or a key; a user's role and standing are announced by the schema
// ([viewer.Changed]).
func ended(ctx context.Context, db *store.DB, names ...string) {
	for _, name := range names {
		db.Wake(ctx, partTopic(partOf(name)))
	}
}

// A viewer is known by their user, their sign-in (its sid) and their key.
func userName(id int64) string { return "user " + strconv.FormatInt(id, 10) }

func keyName(id int64) string { return "key " + strconv.FormatInt(id, 10) }

func partOf(name string) int {
	h := fnv.New32a()
	h.Write([]byte(name))
	return int(h.Sum32() % parts)
}

// Topics are the topics of wake-ups after which a viewer may be another than before, or
// none: none for those who stay who they are. A [Verifier] on the same bus, which has
// listened to them for longer, is woken first: whom it proves then is the viewer of now.
func Topics(v *viewer.Viewer) []string {
	if v.System || !v.Authenticated() {
		return nil
	}
	of := partsOf(v)
	topics := []string{viewer.Changed}
	for i, part := range of {
		if !slices.Contains(of[:i], part) {
			topics = append(topics, partTopic(part))
		}
	}
	return topics
}

func partTopic(part int) string { return viewer.Changed + "/" + strconv.Itoa(part) }

// endings knows when viewers of each part were last said to have changed,
// on a clock that counts nothing but these wake-ups.
type endings struct {
	woken [parts + 1]<-chan struct{} // the last is for all viewers

	clock atomic.Uint64
	mu    sync.RWMutex
	last  [parts + 1]uint64
}

// newEndings listens on the bus until that is closed.
func newEndings(bus pubsub.Bus) *endings {
	e := &endings{}
	for part := range parts {
		e.woken[part], _ = bus.Listen(partTopic(part))
	}
	e.woken[parts], _ = bus.Listen(viewer.Changed)
	return e
}

// now is the time at which a proof begins that is remembered.
func (e *endings) now() uint64 { return e.clock.Load() }

// since reports whether a viewer of one of the parts may have changed since
// the time.
func (e *endings) since(time uint64, of viewerParts) bool {
	return e.heard(of[0]) > time || e.heard(of[1]) > time || e.heard(of[2]) > time || e.heard(parts) > time
}

// heard returns when the part was woken last. It takes no wake-up from the
// channel but under the lock, so that a caller that finds the channel empty
// reads the time of the wake-up that emptied it.
func (e *endings) heard(part int) uint64 {
	if len(e.woken[part]) > 0 {
		e.mu.Lock()
		select {
		case <-e.woken[part]:
			e.last[part] = e.clock.Add(1)
		default:
		}
		e.mu.Unlock()
	}
	e.mu.RLock()
	defer e.mu.RUnlock()
	return e.last[part]
}

// viewerParts are the parts that a viewer is in.
type viewerParts [3]int

// partsOf returns the parts that a viewer is in: of an admin who sees as another their
// own, with both sign-ins that it may end with.
func partsOf(v *viewer.Viewer) viewerParts {
	if v.KeyID != 0 {
		part := partOf(keyName(v.KeyID))
		return viewerParts{part, part, part}
	}
	sid := partOf(v.SessionID)
	if v.Actor != 0 {
		_, parent, _ := strings.Cut(v.SessionID, within)
		return viewerParts{partOf(userName(v.Actor)), sid, partOf(parent)}
	}
	return viewerParts{partOf(userName(v.UserID)), sid, sid}
}
