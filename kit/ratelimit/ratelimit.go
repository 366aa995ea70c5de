// Package ratelimit counts the requests and costs of callers, and refuses those
// beyond a limit.
//
// It owns three algorithms, each a function over a small state, and two places
// where states are: [Memory], in this process, and [Redis], which several
// processes share. Package web identifies callers and writes refusals.
package ratelimit

import (
	"context"
	"math"
	"net/netip"
	"strconv"
	"time"
)

// The algorithms.
const (
	// Fixed counts in windows, the first of which begins with the first
	// request: twice the count can come around the end of one.
	Fixed = "fixed"
	// Sliding counts the window before in the part of it that is less than a
	// window ago.
	Sliding = "sliding"
	// Bucket lets the whole count come at once, and then as much as flows back
	// in evenly.
	Bucket = "bucket"
)

// Rate is how much is allowed.
type Rate struct {
	Count     int
	Window    time.Duration
	Algorithm string
}

// Key identifies a caller whose requests are counted together. Only the identity
// of the caller is set: their user, key or network. Scope keeps counts of their
// own.
type Key struct {
	Scope   string
	UserID  int64
	KeyID   int64
	Address netip.Addr
}

// Network returns the address or network that counts as one: the /64 of an address
// of IPv6.
func Network(a netip.Addr) netip.Addr {
	if !a.Is6() {
		return a
	}
	p, err := a.WithZone("").Prefix(64)
	if err != nil {
		return a
	}
	return p.Addr()
}

// Site returns the /48 of an address of IPv6, which is what many subscribers have,
// and false for any other.
func Site(a netip.Addr) (netip.Addr, bool) {
	if !a.Is6() || a.Is4In6() {
		return netip.Addr{}, false
	}
	p, err := a.WithZone("").Prefix(48)
	return p.Addr(), err == nil
}

// String returns the key's name in Redis.
func (k Key) String() string {
	switch {
	case k.UserID != 0:
		return k.Scope + "user:" + strconv.FormatInt(k.UserID, 10)
	case k.KeyID != 0:
		return k.Scope + "key:" + strconv.FormatInt(k.KeyID, 10)
	}
	return k.Scope + "address:" + k.Address.String()
}

// Result is the rest of a limit after a request.
type Result struct {
	// At is when that was so, by the clock of the limiter.
	At        time.Time
	Allowed   bool
	Taken     int // 0 where that was refused
	Limit     int
	Remaining int
	// Reset is when everything is allowed again.
	Reset time.Time
	// RetryAfter is when as much as was asked for would be, 0 where it was.
	RetryAfter time.Duration
}

// Limiter counts. Refused requests do not count.
type Limiter interface {
	// Take asks for n at once, which is never more than the rate's count.
	Take(ctx context.Context, k Key, r Rate, n int) (Result, error)
	// Give gives back n of the amount that was taken with that result, as far as it
	// still counts, and returns the rest of the limit.
	Give(ctx context.Context, k Key, r Rate, taken Result, n int) (Result, error)
}

// state is the state of a key. The algorithm gives the numbers their meaning;
// times are microseconds since 1970. The zero state is of a key never seen.
type state [3]float64

// change is n requests that are taken now, or given back where n is negative:
// those were taken at another time.
type change struct{ n, now, taken float64 }

// take counts a change.
func (s *state) take(r Rate, c change) Result {
	count, window := float64(r.Count), float64(r.Window.Microseconds())
	c.n = min(c.n, count)
	switch r.Algorithm {
	case Sliding:
		return s.sliding(count, window, c)
	case Bucket:
		return s.bucket(count, window, c)
	}
	return s.fixed(count, window, c)
}

// noted is a result of asking for n, with how many of them were taken: never
// more than the rate's count.
func noted(got Result, r Rate, n int) Result {
	if got.Allowed {
		got.Taken = max(0, min(n, r.Count))
	}
	return got
}

// fixed: when the window began, and how many came in it.
func (s *state) fixed(count, window float64, c change) Result {
	n, now := c.n, c.now
	if now >= s[0]+window || s[0] > now {
		s[0], s[1] = now, 0
	}
	if n < 0 {
		if c.taken >= s[0] {
			s[1] = max(0, s[1]+n)
		}
		n = 0
	}
	allowed := s[1]+n <= count
	if allowed {
		s[1] += n
	}
	return result(now, allowed, count, count-s[1], s[0]+window, s[0]+window-now)
}

// sliding: the number of the window, how many came in it, and in the one before.
func (s *state) sliding(count, window float64, c change) Result {
	n, now := c.n, c.now
	number := math.Floor(now / window)
	switch number - s[0] {
	case 0:
	case 1:
		s[0], s[1], s[2] = number, 0, s[1]
	default:
		s[0], s[1], s[2] = number, 0, 0
	}
	if n < 0 {
		switch number - math.Floor(c.taken/window) {
		case 0:
			s[1] = max(0, s[1]+n)
		case 1:
			s[2] = max(0, s[2]+n)
		}
		n = 0
	}
	passed := now - number*window
	used := s[1] + s[2]*(window-passed)/window
	allowed := used+n <= count
	if allowed {
		s[1] += n
		used += n
	}
	reset := (number + 1) * window
	if s[1] > 0 {
		reset += window
	}
	wait := window - passed
	if s[1]+n <= count { // until enough of the window before is a window ago
		wait = window*(1-(count-n-s[1])/s[2]) - passed
	} else { // or, after its end, of this one
		wait += window * max(0, 1-(count-n)/s[1])
	}
	return result(now, allowed, count, count-used, reset, wait)
}

// bucket: how many have flown out, and when that was true.
func (s *state) bucket(count, window float64, c change) Result {
	n, now := c.n, c.now
	out := max(0, s[0]-max(0, now-s[1])*count/window)
	if n < 0 {
		out, n = max(0, out+n), 0
	}
	const grain = 1e-6 // what rounding makes of a whole number
	allowed := out+n <= count+grain
	if allowed {
		out += n
	}
	s[0], s[1] = out, now
	return result(now, allowed, count, count-out+grain, now+out*window/count, (out+n-count)*window/count)
}

func result(now float64, allowed bool, count, remaining, reset, wait float64) Result {
	r := Result{
		At: time.UnixMicro(int64(now)), Allowed: allowed, Limit: int(count), Remaining: max(0, int(remaining)),
		Reset: time.UnixMicro(int64(math.Ceil(reset))),
	}
	if !allowed {
		r.RetryAfter = max(time.Microsecond, time.Duration(math.Ceil(wait))*time.Microsecond)
	}
	return r
}
