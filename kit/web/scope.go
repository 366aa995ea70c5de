package web

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/entwine-go/entwine/kit/ratelimit"
	"github.com/entwine-go/entwine/kit/requestid"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// scope is the context of a request on a [conn]. It ends with the request, when
// its client leaves, and at its deadline, all of which the connection reports to it
// (see [watch]). A context below net/http's that has a timeout costs seven
// allocations more, an entry in its parent, and a timer that hardly ever fires; one
// for each thing that is known of a request costs another, and a copy of the
// request.
type scope struct {
	requestid.Context // around those below, the last of which is around net/http's

	viewer  viewer.Context
	caller  store.CallerContext
	account ratelimit.Context
	visit   visit // known where named is set
	named   bool

	until time.Time // the deadline, zero for none: set before the context is handed on

	mu   sync.Mutex
	done chan struct{}         // nil until it is asked for
	err  atomic.Pointer[error] // nil until the end

	// The fields below belong to the watch.

	seen bool // at one glance
	late bool // it was seen before
}

func newScope(ctx context.Context, id string) *scope {
	s := &scope{account: ratelimit.Context{Context: ctx}}
	s.caller = store.CallerContext{Context: &s.account}
	s.viewer = viewer.Context{Context: &s.caller}
	s.Context = requestid.Context{Context: &s.viewer, Held: requestid.ID(id)}
	return s
}

// Value implements [context.Context].
func (s *scope) Value(key any) any {
	if key == (clientKey{}) && s.named {
		return &s.visit
	}
	return s.Context.Value(key)
}

// Deadline implements [context.Context].
func (s *scope) Deadline() (time.Time, bool) { return s.until, !s.until.IsZero() }

// Done implements [context.Context].
func (s *scope) Done() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.done == nil {
		s.done = make(chan struct{})
		if s.err.Load() != nil {
			close(s.done)
		}
	}
	return s.done
}

// Err implements [context.Context].
func (s *scope) Err() error {
	err := s.err.Load()
	if err == nil {
		return nil
	}
	<-s.Done() // which is closed before the error is reported
	return *err
}

// end ends the context for a reason, unless it has ended.
func (s *scope) end(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err.Load() != nil {
		return
	}
	s.err.Store(&err)
	if s.done != nil {
		close(s.done)
	}
}

var _ context.Context = (*scope)(nil)
