package store

import (
	"context"
	"database/sql"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/entwine-go/entwine/kit/internal/carry"
	"github.com/entwine-go/entwine/kit/problem"
)

// Caller is the user, the API key or, without credentials, the address that statements
// count for: one of the three is set. The zero value is no caller.
type Caller struct {
	UserID  int64
	KeyID   int64
	Address netip.Addr
}

// CallerContext is a context whose statements count for the caller that it holds. A
// context that has more to say of a request has it as a field.
type CallerContext = carry.Context[Caller]

// WithCaller returns a context whose statements count for a caller: each has at
// most [Config.Share] of a pool. Those of contexts without a caller, as
// background work has them, are not counted.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return carry.With(ctx, c)
}

// uncounted is the caller of background work, which has no share.
var uncounted Caller

// pool is a pool of connections of which each caller has a share. A transaction
// counts once, from its beginning to its end: what runs inside of it asks for
// no other connection, so that nothing waits for a caller's own.
type pool struct {
	*sql.DB
	shares shares
	conns  int
}

func newPool(o *connector, c Config, conns int) *pool {
	p := &pool{DB: sql.OpenDB(o), shares: c.share(conns), conns: conns}
	o.shares = &p.shares
	p.SetMaxOpenConns(conns)
	p.SetMaxIdleConns(conns)
	return p
}

// QueryContext runs a statement that returns rows. The connection counts until
// they are closed: see [conn.lend].
func (p *pool) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	caller, err := p.shares.enter(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := p.DB.QueryContext(ctx, query, args...)
	if err != nil {
		p.shares.leave(caller)
	}
	return rows, err
}

// ExecContext runs a statement that returns no rows.
func (p *pool) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	caller, err := p.shares.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer p.shares.leave(caller)
	return p.DB.ExecContext(ctx, query, args...)
}

// take calls use with one of the connections and returns it. It counts until it
// is closed, which it is already where there is an error.
func (p *pool) take(ctx context.Context, use func(*conn) error) (_ *sql.Conn, err error) {
	caller, err := p.shares.enter(ctx)
	if err != nil {
		return nil, err
	}
	c, err := p.Conn(ctx)
	if err != nil {
		p.shares.leave(caller)
		return nil, err
	}
	lent, kept := false, false
	defer func() { // also when use panics
		if kept {
			return
		}
		if _ = c.Close(); !lent {
			p.shares.leave(caller)
		}
	}()
	err = c.Raw(func(inner any) error {
		inner.(*conn).lend(caller)
		lent = true
		return use(inner.(*conn))
	})
	if err != nil {
		return nil, err
	}
	kept = true
	return c, nil
}

// shares bounds how many connections of a pool each caller has at a time. Those
// who ask for more wait for one of their own, first come first served, before
// they ask the pool: other callers find it with room.
type shares struct {
	most int           // 0: any number
	wait time.Duration // for which one may wait

	mu      sync.Mutex
	callers map[Caller]*claim
	// expiry refuses turns that have waited for too long. One timer serves all of
	// them: it runs while any waits, and is set anew when it fires.
	expiry  *time.Timer
	expires bool // expiry runs

	turns sync.Pool // of *turn that wait for nothing
}

// claim has a caller's connections, and its waiting requests.
type claim struct {
	held  int
	queue []*turn
}

// turn is used again for another wait: a channel for each, and a timer, are most
// of what a caller pays who has many requests at a time.
type turn struct {
	come  chan bool // whether it has come or is refused, sent once and under the lock
	since time.Time
}

const (
	// shareWait is the default of [Config.ShareWait].
	shareWait = 5 * time.Second
	// queued is how many may wait for each connection of the share, whatever
	// they wait for; more may where the first has not waited for long.
	queued = 4
	// soon is a short wait, as a part of the longest.
	soon = 2
)

// enter returns the context's caller once they have less than their share, or
// [uncounted] if the context has none. Each enter is paired with a leave.
func (s *shares) enter(ctx context.Context) (caller Caller, err error) {
	if caller = s.callerOf(ctx); caller == uncounted {
		return uncounted, nil
	}
	s.mu.Lock()
	c := s.callers[caller]
	if c == nil {
		if s.callers == nil {
			s.callers = make(map[Caller]*claim)
		}
		c = new(claim)
		s.callers[caller] = c
	}
	if c.held < s.most {
		c.held++
		s.mu.Unlock()
		return caller, nil
	}
	now := time.Now()
	if len(c.queue) >= queued*s.most && now.Sub(c.queue[0].since) > s.wait/soon {
		s.mu.Unlock()
		return uncounted, s.refusal()
	}
	mine := s.newTurn(now)
	c.queue = append(c.queue, mine)
	s.watch(s.wait)
	s.mu.Unlock()
	var come bool
	select {
	case come = <-mine.come:
	case <-ctx.Done():
		if s.giveUp(c, mine) {
			s.turns.Put(mine)
			return uncounted, ctx.Err()
		}
		come = <-mine.come
	}
	s.turns.Put(mine)
	if !come {
		return uncounted, s.refusal()
	}
	return caller, nil
}

func (s *shares) newTurn(now time.Time) *turn {
	t, ok := s.turns.Get().(*turn)
	if !ok {
		t = &turn{come: make(chan bool, 1)}
	}
	t.since = now
	return t
}

// watch has the turns looked at after a time, unless they are soon.
func (s *shares) watch(after time.Duration) {
	switch {
	case s.expires:
		return
	case s.expiry == nil:
		s.expiry = time.AfterFunc(after, s.expire)
	default:
		s.expiry.Reset(after)
	}
	s.expires = true
}

// expire refuses the turns that have waited for too long: in each queue they are
// the first.
func (s *shares) expire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expires = false
	now, next := time.Now(), time.Duration(-1)
	for _, c := range s.callers {
		for len(c.queue) > 0 && now.Sub(c.queue[0].since) >= s.wait {
			c.tell(false)
		}
		if len(c.queue) > 0 {
			if left := s.wait - now.Sub(c.queue[0].since); next < 0 || left < next {
				next = left
			}
		}
	}
	if next >= 0 {
		s.watch(next)
	}
}

// tell ends the wait of the first.
func (c *claim) tell(come bool) {
	c.queue[0].come <- come
	c.queue = slices.Delete(c.queue, 0, 1)
}

// callerOf is the caller whose share a statement of the context counts for.
func (s *shares) callerOf(ctx context.Context) Caller {
	if s.most == 0 {
		return uncounted
	}
	return carry.From[Caller](ctx)
}

// giveUp leaves the queue, unless it is the turn's by now.
func (s *shares) giveUp(c *claim, mine *turn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.Index(c.queue, mine)
	if i < 0 {
		return false
	}
	c.queue = slices.Delete(c.queue, i, i+1)
	return true
}

// leave gives a connection of a caller back, to whom of them has waited longest.
func (s *shares) leave(caller Caller) {
	if caller == uncounted {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.callers[caller]
	if len(c.queue) > 0 {
		c.tell(true)
		return
	}
	if c.held--; c.held == 0 {
		delete(s.callers, caller)
	}
}

// waiting is how many wait for one of their own connections.
func (s *shares) waiting() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.callers {
		n += len(c.queue)
	}
	return n
}

func (s *shares) refusal() error {
	e := problem.New(problem.Unavailable, "too many of your requests use the database at a time: %d of its connections are yours at most; try again when some have been answered", s.most)
	e.RetryAfter = time.Second
	return e
}

// share is how many of a pool's connections a caller has.
func (c Config) share(conns int) shares {
	if c.Share <= 0 || c.Share >= 100 {
		return shares{}
	}
	return shares{most: max(1, conns*c.Share/100), wait: c.ShareWait}
}

// lend has the connection count for a caller until it is back in the pool.
func (c *conn) lend(caller Caller) { c.lent = caller }

// giveBack is called when the connection comes back to the pool, or is closed.
func (c *conn) giveBack() {
	c.owner.shares.leave(c.lent)
	c.lent = uncounted
}
