package account

import (
	"context"
	"sync"
	"time"

	"github.com/entwine-go/entwine/kit/problem"
)

// maxWaiting is how many may wait for a turn at one name.
const maxWaiting = 32

// turns lets those who ask for the same name go one after the other. The zero
// value is ready for use.
type turns struct {
	mu    sync.Mutex
	names map[string]*turn
}

// turn is a name that an attempt holds or waits for.
type turn struct {
	held chan struct{} // holds one
	here int           // how many attempts hold it or wait
}

// take waits for the name; leave gives it back.
func (t *turns) take(ctx context.Context, name string) (leave func(), err error) {
	turn, ok := t.join(name)
	if !ok {
		busy := problem.New(problem.Unavailable, "too many are signing in to this account: try again")
		busy.RetryAfter = time.Second
		return nil, busy
	}
	select {
	case turn.held <- struct{}{}:
		return func() { <-turn.held; t.part(name, turn) }, nil
	case <-ctx.Done():
		t.part(name, turn)
		return nil, context.Cause(ctx)
	}
}

func (t *turns) join(name string) (*turn, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	found := t.names[name]
	if found == nil {
		if t.names == nil {
			t.names = make(map[string]*turn)
		}
		found = &turn{held: make(chan struct{}, 1)}
		t.names[name] = found
	}
	if found.here > maxWaiting {
		return nil, false
	}
	found.here++
	return found, true
}

func (t *turns) part(name string, turn *turn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if turn.here--; turn.here == 0 {
		delete(t.names, name)
	}
}
