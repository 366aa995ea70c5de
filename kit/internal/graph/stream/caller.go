package stream

import (
	"context"
	"net/netip"
	"strconv"
	"sync"

	"github.com/entwine-go/entwine/kit/ratelimit"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/web"
)

// callers counts something of each caller: connections, or operations.
type callers struct {
	mu   sync.Mutex
	open map[string]int
}

// enter counts one more, unless the caller has as many as are allowed. With most 0
// any number is.
func (c *callers) enter(caller string, most int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if most > 0 && c.open[caller] >= most {
		return false
	}
	if c.open == nil {
		c.open = make(map[string]int)
	}
	c.open[caller]++
	return true
}

func (c *callers) exit(caller string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open[caller]--; c.open[caller] <= 0 {
		delete(c.open, caller)
	}
}

// callerOf names whose connection it is.
func callerOf(ctx context.Context, v *viewer.Viewer) string {
	switch {
	case v.Actor != 0:
		return "user " + strconv.FormatInt(v.Actor, 10)
	case v.UserID != 0:
		return "user " + strconv.FormatInt(v.UserID, 10)
	case v.KeyID != 0:
		return "key " + strconv.FormatInt(v.KeyID, 10)
	}
	at, _ := netip.ParseAddr(web.ClientOf(ctx).Address) // all that come from nowhere are one
	return "address " + ratelimit.Network(at).String()
}
