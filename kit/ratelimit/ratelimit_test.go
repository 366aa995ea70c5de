package ratelimit_test

import (
	"bytes"
	"context"
	"log/slog"
	"math/rand/v2"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/ratelimit"
)

// clock is set by the test.
type clock struct{ at atomic.Int64 }

func newClock() *clock {
	c := new(clock)
	c.at.Store(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC).UnixMicro())
	return c
}

func (c *clock) Now() time.Time          { return time.UnixMicro(c.at.Load()) }
func (c *clock) advance(d time.Duration) { c.at.Add(d.Microseconds()) }

// each runs the test on both implementations.
func each(t *testing.T, test func(t *testing.T, l ratelimit.Limiter, c *clock)) {
	t.Run("memory", func(t *testing.T) {
		c := newClock()
		test(t, &ratelimit.Memory{Now: c.Now}, c)
	})
	t.Run("redis", func(t *testing.T) {
		c := newClock()
		l := dial(t, storetest.Redis(t))
		l.Now = c.Now
		test(t, l, c)
	})
}

func dial(t *testing.T, server *storetest.RedisServer) *ratelimit.Redis {
	t.Helper()
	l, err := ratelimit.Dial(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Client.Close() })
	return l
}

func take(t *testing.T, l ratelimit.Limiter, user int64, r ratelimit.Rate, n int) ratelimit.Result {
	t.Helper()
	got, err := l.Take(t.Context(), ratelimit.Key{UserID: user}, r, n)
	if err != nil {
		t.Fatal(err)
	}
	if got.Limit != r.Count || got.Allowed != (got.RetryAfter == 0) {
		t.Fatalf("the answer contradicts itself: %+v", got)
	}
	return got
}

// Each step waits, asks for some, and says what is left; -1 is a refusal, and
// how long to wait then.
func TestAlgorithms(t *testing.T) {
	type step struct {
		wait  time.Duration
		n     int
		left  int
		retry time.Duration
	}
	const s = time.Second
	for name, c := range map[string]struct {
		algorithm string
		steps     []step
	}{
		"a fixed window is full, then new": {ratelimit.Fixed, []step{
			{0, 1, 9, 0}, {30 * s, 9, 0, 0}, {s, 1, -1, 29 * s}, {29 * s, 1, 9, 0},
		}},
		"a fixed window lets twice the count come around its end": {ratelimit.Fixed, []step{
			{0, 1, 9, 0}, {59 * s, 9, 0, 0}, {s, 10, 0, 0}, {0, 1, -1, 60 * s},
		}},
		"a sliding window remembers the one before": {ratelimit.Sliding, []step{
			{0, 10, 0, 0}, {60 * s, 1, -1, 6 * s}, {6 * s, 1, 0, 0}, {24 * s, 5, -1, 6 * s}, {6 * s, 5, 0, 0},
		}},
		"a sliding window waits for the next where this one is full": {ratelimit.Sliding, []step{
			{30 * s, 10, 0, 0}, {10 * s, 1, -1, 26 * s}, {26 * s, 1, 0, 0},
		}},
		"a bucket fills evenly": {ratelimit.Bucket, []step{
			{0, 10, 0, 0}, {0, 1, -1, 6 * s}, {5 * s, 1, -1, s}, {s, 1, 0, 0}, {60 * s, 10, 0, 0},
		}},
		"more than the count is the count": {ratelimit.Bucket, []step{
			{0, 50, 0, 0}, {59 * s, 50, -1, s}, {s, 50, 0, 0},
		}},
		"what is refused does not count": {ratelimit.Fixed, []step{
			{0, 8, 2, 0}, {0, 3, -1, 60 * s}, {0, 2, 0, 0},
		}},
		"asking for none only tells": {ratelimit.Sliding, []step{
			{0, 4, 6, 0}, {0, 0, 6, 0},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, l ratelimit.Limiter, now *clock) {
				r := ratelimit.Rate{Count: 10, Window: time.Minute, Algorithm: c.algorithm}
				for i, step := range c.steps {
					now.advance(step.wait)
					got := take(t, l, 1, r, step.n)
					if got.Allowed != (step.left >= 0) || got.Remaining != step.left && got.Allowed || got.RetryAfter.Round(time.Millisecond) != step.retry {
						t.Fatalf("step %d: %+v, want %+v", i, got, step)
					}
					if got.Reset.Before(now.Now()) {
						t.Errorf("step %d: it is reset in the past, %v", i, got.Reset)
					}
				}
			})
		})
	}
}

// TestBothCountTheSame also holds each algorithm to its promise: a caller that waits
// for the time in Retry-After is let in.
func TestBothCountTheSame(t *testing.T) {
	shared := dial(t, storetest.Redis(t))
	for _, algorithm := range []string{ratelimit.Fixed, ratelimit.Sliding, ratelimit.Bucket} {
		t.Run(algorithm, func(t *testing.T) {
			now := newClock()
			memory := &ratelimit.Memory{Now: now.Now}
			shared.Now = now.Now
			r := ratelimit.Rate{Count: 7, Window: 13 * time.Second, Algorithm: algorithm}
			for i := range 500 {
				n := rand.IntN(4)
				a, b := take(t, memory, 1, r, n), take(t, shared, 1, r, n)
				if a != b {
					t.Fatalf("request %d: memory says %+v, Redis %+v", i, a, b)
				}
				if !a.Allowed && rand.IntN(2) == 0 {
					now.advance(a.RetryAfter + time.Microsecond)
					a, b = take(t, memory, 1, r, n), take(t, shared, 1, r, n)
					if !a.Allowed || a != b {
						t.Fatalf("request %d: after the wait, %+v and %+v", i, a, b)
					}
				}
				now.advance(rand.N(4 * time.Second))
				if a.Allowed && rand.IntN(3) == 0 {
					back := rand.IntN(n + 1)
					a, b = give(t, memory, 1, r, a, back), give(t, shared, 1, r, a, back)
					if a != b {
						t.Fatalf("request %d: after giving %d back memory says %+v, Redis %+v", i, back, a, b)
					}
				}
			}
		})
	}
}

// Each step waits, takes some or gives back of what the first step took, and
// says what is left.
func TestWhatIsGivenBackIsThereAgain(t *testing.T) {
	type step struct {
		wait time.Duration
		n    int
		left int
	}
	const s = time.Second
	for name, c := range map[string]struct {
		algorithm string
		steps     []step
	}{
		"in a fixed window":                  {ratelimit.Fixed, []step{{0, 8, 2}, {s, 1, 1}, {s, -7, 8}}},
		"and no more in the next":            {ratelimit.Fixed, []step{{0, 8, 2}, {60 * s, 5, 5}, {s, -7, 5}}},
		"in a sliding window":                {ratelimit.Sliding, []step{{0, 8, 2}, {s, 1, 1}, {s, -7, 8}}},
		"from the window before":             {ratelimit.Sliding, []step{{30 * s, 8, 2}, {60 * s, 1, 5}, {0, -8, 9}}},
		"and no more from one before that":   {ratelimit.Sliding, []step{{0, 8, 2}, {120 * s, 5, 5}, {s, -7, 5}}},
		"in a bucket":                        {ratelimit.Bucket, []step{{0, 8, 2}, {6 * s, 0, 3}, {0, -5, 8}}},
		"and no more than a bucket can hold": {ratelimit.Bucket, []step{{0, 8, 2}, {30 * s, 0, 7}, {0, -8, 10}}},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, l ratelimit.Limiter, now *clock) {
				r := ratelimit.Rate{Count: 10, Window: time.Minute, Algorithm: c.algorithm}
				var first ratelimit.Result
				for i, step := range c.steps {
					now.advance(step.wait)
					var got ratelimit.Result
					if step.n < 0 {
						got = give(t, l, 1, r, first, -step.n)
					} else {
						got = take(t, l, 1, r, step.n)
					}
					if i == 0 {
						first = got
					}
					if got.Remaining != step.left || !got.At.Equal(now.Now()) {
						t.Fatalf("step %d: %+v, want %d left", i, got, step.left)
					}
				}
			})
		})
	}
}

func give(t *testing.T, l ratelimit.Limiter, user int64, r ratelimit.Rate, taken ratelimit.Result, n int) ratelimit.Result {
	t.Helper()
	got, err := l.Give(t.Context(), ratelimit.Key{UserID: user}, r, taken, n)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestManyAtOnceGetTheCount(t *testing.T) {
	each(t, func(t *testing.T, l ratelimit.Limiter, _ *clock) {
		for i, algorithm := range []string{ratelimit.Fixed, ratelimit.Sliding, ratelimit.Bucket} {
			var all sync.WaitGroup
			var allowed atomic.Int64
			r := ratelimit.Rate{Count: 40, Window: time.Minute, Algorithm: algorithm}
			for range 8 {
				all.Go(func() {
					for range 10 {
						got, err := l.Take(context.Background(), ratelimit.Key{UserID: int64(i + 1)}, r, 1)
						if err == nil && got.Allowed {
							allowed.Add(1)
						}
					}
				})
			}
			all.Wait()
			if got := allowed.Load(); got != 40 {
				t.Errorf("%s let %d of 80 in, want 40", algorithm, got)
			}
		}
	})
}

func TestKeysAreCountedApart(t *testing.T) {
	one := ratelimit.Rate{Count: 1, Window: time.Minute, Algorithm: ratelimit.Fixed}
	each(t, func(t *testing.T, l ratelimit.Limiter, _ *clock) {
		for _, k := range []ratelimit.Key{
			{UserID: 1}, {UserID: 2}, {KeyID: 1}, {Address: netip.MustParseAddr("192.0.2.1")},
			{Address: netip.MustParseAddr("2001:db8::")}, {Scope: "v1 ", UserID: 1},
		} {
			for _, want := range []bool{true, false} {
				if got, err := l.Take(t.Context(), k, one, 1); err != nil || got.Allowed != want {
					t.Errorf("%v: %+v, %v", k, got, err)
				}
			}
		}
	})
}

func TestWithoutRedisThisProcessCounts(t *testing.T) {
	server := storetest.Redis(t)
	log := new(bytes.Buffer)
	l := &ratelimit.Shared{Redis: dial(t, server), Memory: new(ratelimit.Memory), Log: slog.New(slog.NewTextHandler(log, nil))}
	r := ratelimit.Rate{Count: 3, Window: time.Hour, Algorithm: ratelimit.Fixed}
	take(t, l, 1, r, 3)
	if take(t, l, 1, r, 1).Allowed {
		t.Error("Redis did not count")
	}
	if err := server.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if !take(t, l, 1, r, 3).Allowed || take(t, l, 1, r, 1).Allowed {
		t.Error("this process did not count while Redis hung")
	}
	server.Stop()
	if !take(t, l, 2, r, 3).Allowed || take(t, l, 2, r, 1).Allowed {
		t.Error("this process did not count while Redis was dead")
	}
	if got := strings.Count(log.String(), "Redis is away"); got != 1 {
		t.Errorf("the log says so %d times: %s", got, log)
	}
}

func TestManyAddressesTakeLittleMemory(t *testing.T) {
	now := newClock()
	l := &ratelimit.Memory{Now: now.Now}
	r := ratelimit.Rate{Count: 1, Window: time.Second, Algorithm: ratelimit.Bucket}
	for user := range int64(200_000) {
		now.advance(time.Millisecond)
		take(t, l, user+1, r, 1)
	}
	if got := l.Len(); got > 20_000 {
		t.Errorf("%d keys are remembered", got)
	}
}

func BenchmarkMemory(b *testing.B) {
	l := new(ratelimit.Memory)
	r := ratelimit.Rate{Count: 1 << 30, Window: time.Minute, Algorithm: ratelimit.Sliding}
	b.ReportAllocs()
	for b.Loop() {
		_, _ = l.Take(context.Background(), ratelimit.Key{UserID: 7}, r, 1)
	}
}
