package web

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/ratelimit"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// account has the charges of one request's caller.
type account struct {
	limiter ratelimit.Limiter
	key     ratelimit.Key
	rate    ratelimit.Rate
	charged int      // at once with the request
	told    Observer // of charges; may be nil

	mu     sync.Mutex // operations on one WebSocket share it
	header http.Header
	left   int
}

// Left implements [ratelimit.Account].
func (a *account) Left() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.left
}

// count charges a request to its caller, or to the address of an
// anonymous one, and returns an error if that is too much.
func (e *Edge) count(ctx context.Context, w http.ResponseWriter, r *http.Request, v *viewer.Viewer) (*account, error) {
	scope, rate := "", ratelimit.Rate(e.Limit.Rate)
	if e.Rate != nil {
		scope, rate = e.Rate(r)
	}
	c := e.callerOf(r, v)
	return e.charge(ctx, w, ratelimit.Key{Scope: scope, UserID: c.UserID, KeyID: c.KeyID, Address: c.Address}, rate)
}

// callerOf is the user or key that a viewer counts as, zero for an anonymous one. An
// admin who sees as another counts as themselves.
func callerOf(v *viewer.Viewer) store.Caller {
	switch {
	case v != nil && v.Actor != 0:
		return store.Caller{UserID: v.Actor}
	case v != nil && v.UserID != 0:
		return store.Caller{UserID: v.UserID}
	case v != nil && v.KeyID != 0:
		return store.Caller{KeyID: v.KeyID}
	}
	return store.Caller{}
}

// callerOf is as whom a request is counted: its network without credentials.
func (e *Edge) callerOf(r *http.Request, v *viewer.Viewer) store.Caller {
	c := callerOf(v)
	if c == (store.Caller{}) {
		c.Address = ratelimit.Network(e.client(r))
	}
	return c
}

// WithCaller returns a context whose statements count for the viewer
// (store.WithCaller), who has verified their credentials by now. A viewer without any
// changes nothing: their statements count for the address of the client.
func WithCaller(ctx context.Context, v *viewer.Viewer) context.Context {
	if c := callerOf(v); c != (store.Caller{}) {
		return store.WithCaller(ctx, c)
	}
	return ctx
}

// countMessage charges what a provider sends to its address, apart from what
// else comes from there.
func (e *Edge) countMessage(ctx context.Context, w http.ResponseWriter, r *http.Request) error {
	_, err := e.charge(ctx, w, ratelimit.Key{Scope: "webhook ", Address: ratelimit.Network(e.client(r))}, ratelimit.Rate(e.Limit.WebhookRate))
	return err
}

// charge charges one request.
func (e *Edge) charge(ctx context.Context, w http.ResponseWriter, key ratelimit.Key, rate ratelimit.Rate) (*account, error) {
	if e.Limiter == nil || rate.Count == 0 {
		return nil, nil
	}
	a := &w.(*exchange).account
	*a = account{limiter: e.Limiter, key: key, rate: rate, header: w.Header(), told: e.Observer}
	_, err := a.Charge(ctx, 1)
	a.charged = 1
	return a, err
}

// Charge implements [ratelimit.Account]. The header fields have the rest of the
// limit. A request is never charged for more than the whole rate, of which it has
// its part already: or it could wait for ever.
func (a *account) Charge(ctx context.Context, n int) (ratelimit.Result, error) {
	got, err := a.limiter.Take(ctx, a.key, a.rate, min(n, a.rate.Count-a.charged))
	if err != nil {
		return got, err
	}
	if a.told != nil {
		a.told.Charged(ctx, n, got.Remaining, !got.Allowed)
	}
	if !got.Allowed {
		got.RetryAfter = a.again(ctx, n, got)
		got.Reset = got.At.Add(got.RetryAfter) // one time to come back, whichever header is read
	}
	a.tell(got)
	if got.Allowed {
		return got, nil
	}
	more := ""
	if a.charged > 0 {
		more = " more"
	}
	over := problem.New(problem.RateLimited, "too many requests: this one counts %d%s, and %d of %d in %s are left", n, more, got.Remaining, got.Limit, a.rate.Window)
	over.RetryAfter = got.RetryAfter
	return got, over
}

// again is when a request can be repeated that was refused n more: it counts
// itself again then.
func (a *account) again(ctx context.Context, n int, refused ratelimit.Result) time.Duration {
	if a.charged == 0 {
		return refused.RetryAfter
	}
	whole, err := a.limiter.Take(ctx, a.key, a.rate, min(n+a.charged, a.rate.Count))
	if err != nil {
		return refused.RetryAfter
	}
	if whole.Allowed { // since a moment ago
		_, _ = a.limiter.Give(ctx, a.key, a.rate, whole, whole.Taken)
	}
	return max(refused.RetryAfter, whole.RetryAfter)
}

// Return implements [ratelimit.Account]. A charge that can't be given back stays
// counted.
func (a *account) Return(ctx context.Context, charged ratelimit.Result, n int) {
	if got, err := a.limiter.Give(ctx, a.key, a.rate, charged, n); err == nil {
		a.tell(got)
	}
}

// tell notes what is left, and says it in the headers of an answer that has not
// begun.
func (a *account) tell(got ratelimit.Result) {
	values := figures(got)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.left = got.Remaining
	a.header["X-Ratelimit-Limit"] = values[0:1:1]
	a.header["X-Ratelimit-Remaining"] = values[1:2:2]
	a.header["X-Ratelimit-Reset"] = values[2:3:3]
}

// figures writes what a result says: the limit, what remains, and the second
// at which it is reset. They share one text, because every answer has them.
func figures(r ratelimit.Result) *[3]string {
	var space [64]byte
	b := strconv.AppendInt(space[:0], int64(r.Limit), 10)
	limit := len(b)
	b = strconv.AppendInt(b, int64(r.Remaining), 10)
	remaining := len(b)
	b = strconv.AppendInt(b, (r.Reset.UnixMilli()+999)/1000, 10)
	text := string(b)
	return &[3]string{text[:limit], text[limit:remaining], text[remaining:]}
}
