package subscribe

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/events"
	"github.com/entwine-go/entwine/kit/viewer"
)

// audiences let subscribers who ask for the same with the same rights share one
// read of each event: ten thousand readers of a feed cost one statement, and one more
// that finds those among them whom the row names, who read alone. Where more than
// that may differ between two users, each shares with their own connections only.
type audiences struct {
	mu  sync.Mutex
	all map[audienceKey]*audience
}

// audienceKey is the same for subscribers that share a response.
type audienceKey struct {
	operation *ast.OperationDefinition // of the kept document
	variables string
	who       string
}

// audience is subscribers who share.
type audience struct {
	size  int
	reads map[int64]*shared // by the event's number
	order []int64           // of reads, the oldest first
	bytes int
	// among is set where users share who differ in their ids: see [subscription.among].
	among *among
}

// shared is a read of an event.
type shared struct {
	done chan struct{}
	told
	failed bool // its reader went away
}

// told is the outcome of an event: no response where the subscriber can't read the row, and
// over where that ends the stream, too.
type told struct {
	response []byte
	spent    int // what it came to
	over     bool
}

// How many reads are kept for those who come to the event later, and how large.
const (
	keptReads = 256
	keptBytes = 1 << 20
)

// membership is a subscriber's place in an audience.
type membership struct {
	viewer *viewer.Viewer // as whom it joined
	key    audienceKey
	in     *audience
	// rights are those of the viewer, and among says how users with these share.
	rights string
	among  *among
}

// leave ends a membership.
func (a *audiences) leave(m *membership) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if m.in == nil {
		return
	}
	switch m.in.size--; m.in.size {
	case 0:
		delete(a.all, m.key)
	case 1: // one subscriber shares with no other
		m.in.reads, m.in.order, m.in.bytes = make(map[int64]*shared), nil, 0
	}
	m.in = nil
}

// join makes the subscription part of the audience that the viewer belongs to,
// and returns that.
func (a *audiences) join(s *subscription, v *viewer.Viewer) *audience {
	m := &s.audience
	if m.in != nil && m.viewer == v {
		return m.in
	}
	who := v.Rights()
	if rights := stranger(v).Rights(); m.rights != rights {
		m.rights, m.among = rights, s.among(v)
	}
	if m.among != nil {
		who = m.rights
	}
	if key := (audienceKey{s.op.Operation, variablesOf(s), who}); m.in == nil || m.key != key {
		a.leave(m)
		a.enter(m, key)
	}
	m.viewer = v
	return m.in
}

// enter makes the membership one of the audience with the key.
func (a *audiences) enter(m *membership, key audienceKey) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.all == nil {
		a.all = make(map[audienceKey]*audience)
	}
	if a.all[key] == nil {
		a.all[key] = &audience{reads: make(map[int64]*shared), among: m.among}
	}
	m.in, m.key = a.all[key], key
	m.in.size++
}

// share returns what read returns for the event, which is called once for an audience:
// for no user in particular where the audience is several, and once more for each whom
// the row names.
func (a *audiences) share(ctx context.Context, s *subscription, v *viewer.Viewer, e *events.Event, read func(context.Context) told) told {
	in := a.join(s, v)
	if in.among != nil {
		owner, err := in.among.names(ctx, s, e, v.UserID)
		if owner || err != nil {
			return read(ctx) // which says what fails
		}
		ctx = viewer.With(ctx, stranger(v))
	}
	a.mu.Lock()
	if in.size == 1 {
		a.mu.Unlock()
		return read(ctx)
	}
	if known := in.reads[e.Number()]; known != nil {
		a.mu.Unlock()
		select {
		case <-known.done:
		case <-ctx.Done():
		}
		if ctx.Err() == nil && !known.failed {
			return known.told
		}
		return read(ctx)
	}
	r := &shared{done: make(chan struct{})}
	in.reads[e.Number()] = r
	in.order = append(in.order, e.Number())
	a.mu.Unlock()

	r.told = read(ctx)
	r.failed = ctx.Err() != nil
	close(r.done)

	a.mu.Lock()
	defer a.mu.Unlock()
	if in.reads[e.Number()] == r {
		in.bytes += len(r.response)
		in.trim()
	}
	return r.told
}

// trim forgets the oldest reads.
func (in *audience) trim() {
	for len(in.order) > keptReads || in.bytes > keptBytes && len(in.order) > 1 {
		oldest := in.reads[in.order[0]]
		select {
		case <-oldest.done:
		default:
			return // it is still being read
		}
		in.bytes -= len(oldest.response)
		delete(in.reads, in.order[0])
		in.order = in.order[1:]
	}
}

func variablesOf(s *subscription) string {
	if len(s.op.Variables) == 0 {
		return ""
	}
	text, err := json.Marshal(s.op.Variables)
	if err != nil { // they came as JSON
		return fmt.Sprintf("%p", s)
	}
	return string(text)
}
