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

// audiences let subscribers who ask for the same in the same name share one
// read of each event: a thousand readers of a feed cost one statement. Those
// who differ in who they are never share, whatever they ask for.
type audiences struct {
	mu  sync.Mutex
	all map[audienceKey]*audience
}

// audienceKey is what subscribers have in common.
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
}

// shared is a read of an event.
type shared struct {
	done     chan struct{}
	response []byte
	spent    int  // what it came to
	failed   bool // its reader went away
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
	if key := (audienceKey{s.op.Operation, variablesOf(s), identity(v)}); m.in == nil || m.key != key {
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
		a.all[key] = &audience{reads: make(map[int64]*shared)}
	}
	m.in, m.key = a.all[key], key
	m.in.size++
}

// share returns what read returns for the event, the response and what that came
// to. It is called once for an audience.
func (a *audiences) share(ctx context.Context, s *subscription, v *viewer.Viewer, e *events.Event, read func(context.Context) ([]byte, int)) ([]byte, int) {
	in := a.join(s, v)
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
			return known.response, known.spent
		}
		return read(ctx)
	}
	r := &shared{done: make(chan struct{})}
	in.reads[e.Number()] = r
	in.order = append(in.order, e.Number())
	a.mu.Unlock()

	r.response, r.spent = read(ctx)
	r.failed = ctx.Err() != nil
	close(r.done)

	a.mu.Lock()
	defer a.mu.Unlock()
	if in.reads[e.Number()] == r {
		in.bytes += len(r.response)
		in.trim()
	}
	return r.response, r.spent
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

// identity is all of a viewer that rules may ask for. The sign-in is not: the devices
// of a user share.
func identity(v *viewer.Viewer) string {
	return fmt.Sprintf("%d %s %d %s %q %t %d %t", v.UserID, v.Role, v.KeyID, v.Client, v.Permissions, v.System, v.Tenant, v.Across)
}
