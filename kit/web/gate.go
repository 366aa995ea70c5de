package web

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/entwine-go/entwine/kit/problem"
)

// Gate caps how many requests are in flight, at what the service can bear.
//
// The cap follows how long requests take (the gradient of Netflix's
// concurrency-limits): while they take about as long as they used to it
// grows by its root, and once they take more than twice as long, because
// they wait for each other, it shrinks in proportion. A request beyond it
// waits for a moment, and is then refused with Retry-After.
type Gate struct {
	// Least and Most bound the cap, which begins at Least.
	Least, Most int
	// Wait is how long a request may wait for room.
	Wait time.Duration
	// Now is the time, time.Now where it is nil.
	Now func() time.Time

	mu       sync.Mutex
	cap      float64
	inFlight int
	queue    []chan struct{} // who waits, first come first
	refused  time.Time       // when a request last found no room
	left     time.Time       // when one last ended, or none was in flight

	usual  float64 // seconds that requests take, in the long run
	sample sample
}

// sample has the measurements of a short period.
type sample struct {
	since time.Time
	total time.Duration
	count int
	peak  int // of requests in flight
}

const (
	sampleTime = 100 * time.Millisecond
	sampleSize = 20
	tolerance  = 2.0 // how much longer than usual is still usual
	smoothing  = 0.2 // how much of the way to the new cap is gone at once

	// How much one sample counts in the long run.
	longRun, longRunBusy = 0.05, 0.001
)

// Enter returns nil once the request may begin, and the caller calls [Gate.Leave] when
// it has ended. It returns a problem.Error of the kind Unavailable, with RetryAfter,
// where there is no room within Wait, or as many requests wait already as may be in
// flight. It returns the error of ctx where that ends first.
func (g *Gate) Enter(ctx context.Context) error {
	g.mu.Lock()
	if g.inFlight < g.room() {
		if g.inFlight == 0 {
			g.left = g.now()
		}
		g.inFlight++
		g.sample.peak = max(g.sample.peak, g.inFlight)
		g.mu.Unlock()
		return nil
	}
	if len(g.queue) >= g.room() { // there is no hope
		defer g.mu.Unlock()
		return g.refuse()
	}
	turn := make(chan struct{})
	g.queue = append(g.queue, turn)
	g.sample.peak = g.inFlight
	g.mu.Unlock()
	timer := time.NewTimer(g.Wait)
	defer timer.Stop()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
	case <-timer.C:
	}
	return g.giveUp(ctx, turn)
}

// giveUp leaves the queue, unless it is the request's turn by now.
func (g *Gate) giveUp(ctx context.Context, turn chan struct{}) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	for i, other := range g.queue {
		if other == turn {
			g.queue = append(g.queue[:i], g.queue[i+1:]...)
			if err := ctx.Err(); err != nil {
				return err
			}
			return g.refuse()
		}
	}
	return nil
}

// Leave ends a request that [Gate.Enter] let in. took is how long it ran, which moves
// the cap; 0 leaves the cap unchanged, for requests whose time says nothing.
func (g *Gate) Leave(took time.Duration) {
	g.leave(g.now(), took)
}

func (g *Gate) leave(now time.Time, took time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if took > 0 {
		g.observe(now, took)
	}
	g.inFlight--
	g.left = now
	for len(g.queue) > 0 && g.inFlight < g.room() {
		close(g.queue[0])
		g.queue = g.queue[1:]
		g.inFlight++
	}
}

const (
	// refusedTime is for how long a refusal says that there is too much to do.
	refusedTime = 2 * time.Second
	// stuckTime is for how long no request has ended where all of them hang.
	stuckTime = 2 * time.Second
)

// Overloaded returns an error while requests are refused, for [Health].
func (g *Gate) Overloaded(context.Context) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.refuses() {
		return errors.New("requests are refused: there are too many at a time")
	}
	return nil
}

// Stuck returns an error while requests are refused and none of those in flight has
// ended for some seconds, for [Health].
func (g *Gate) Stuck(context.Context) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if still := g.now().Sub(g.left); g.refuses() && still >= stuckTime {
		return fmt.Errorf("requests are refused: no other was answered for %v", still)
	}
	return nil
}

func (g *Gate) refuses() bool { return !g.refused.IsZero() && g.now().Sub(g.refused) < refusedTime }

// Figures returns the cap, how many requests are in flight, and how many wait.
func (g *Gate) Figures() (room, inFlight, waiting int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.room(), g.inFlight, len(g.queue)
}

func (g *Gate) room() int { return int(max(g.cap, float64(g.Least))) }

func (g *Gate) now() time.Time {
	if g.Now != nil {
		return g.Now()
	}
	return time.Now()
}

// observe adds to the sample, and moves the cap when that is large enough.
func (g *Gate) observe(now time.Time, took time.Duration) {
	s := &g.sample
	s.total += took
	s.count++
	if s.count < sampleSize {
		return
	}
	if s.since.IsZero() {
		s.since = now
	}
	if now.Sub(s.since) < sampleTime {
		return
	}
	g.adjust(s.total.Seconds()/float64(s.count), s.peak)
	g.sample = sample{since: now, peak: g.inFlight}
}

func (g *Gate) adjust(recent float64, peak int) {
	room := max(g.cap, float64(g.Least))
	busy := float64(peak) >= room/2
	switch {
	case g.usual == 0 || recent < g.usual:
		g.usual = recent
	case busy: // what is slow for being full must not become usual
		g.usual += longRunBusy * (recent - g.usual)
	default:
		g.usual += longRun * (recent - g.usual)
	}
	if !busy {
		return // a gate that is not full says nothing about the cap
	}
	gradient := max(0.5, min(1, tolerance*g.usual/recent))
	next := room*gradient + math.Sqrt(room)
	g.cap = min(float64(g.Most), max(float64(g.Least), room+smoothing*(next-room)))
}

func (g *Gate) refuse() error {
	g.refused = g.now()
	e := problem.New(problem.Unavailable, "the service is overloaded: try again")
	e.RetryAfter = time.Second
	return e
}
