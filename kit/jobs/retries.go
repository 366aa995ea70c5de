package jobs

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

// Retries say how often jobs of a kind are started whose handler fails, and after which
// waits. A type of arguments declares them by a method Retries() Retries, the same for
// every job of the kind, enqueued by Go code, the schedule or a topic. Zero fields
// stand for the values of a kind without the method.
//
//	func (Delivery) Kind() string          { return "delivery" }
//	func (Delivery) Retries() jobs.Retries { return jobs.Retries{First: time.Minute, Span: 3 * 24 * time.Hour} }
//
// Each wait is half as long as said up to one and a half times that, so that jobs that
// failed together are not started together.
type Retries struct {
	// First is the wait after the first attempt: 1 second.
	First time.Duration
	// Factor is how much longer each wait is than the one before: 2. 1 keeps them even.
	Factor float64
	// Longest bounds each wait: 1 hour.
	Longest time.Duration
	// Attempts is how often a job is started before it fails for good: 10, or as often
	// as the waits fit into Span where that is set.
	Attempts int
	// Span is the time over which a job is tried, from its first attempt on. It is not to
	// be set with Attempts.
	Span time.Duration
}

// mostAttempts bounds what Span comes to: more is a mistake in First, Factor or Longest.
const mostAttempts = 1000

// complete returns r with what it leaves open, and panics of what is impossible: it is
// a mistake in the program.
func (r Retries) complete(kind string) Retries {
	wrong := func(format string, args ...any) {
		panic(fmt.Sprintf("jobs: Retries of the kind %q: %s", kind, fmt.Sprintf(format, args...)))
	}
	switch {
	case r.First < 0 || r.Longest < 0 || r.Span < 0 || r.Attempts < 0:
		wrong("times and attempts above 0 are allowed, and 0 for the usual ones: %+v", r)
	case r.Factor != 0 && (r.Factor < 1 || math.IsNaN(r.Factor)):
		wrong("Factor %v: 1 or more is allowed", r.Factor)
	case r.Attempts > 0 && r.Span > 0:
		wrong("Attempts %d and Span %v: one of the two is allowed", r.Attempts, r.Span)
	case r.Attempts > mostAttempts:
		wrong("Attempts %d: at most %d are allowed", r.Attempts, mostAttempts)
	}
	if r.First == 0 {
		r.First = time.Second
	}
	if r.Factor == 0 {
		r.Factor = 2
	}
	if r.Longest == 0 {
		r.Longest = max(time.Hour, r.First)
	}
	if r.First > r.Longest {
		wrong("First %v is longer than Longest %v", r.First, r.Longest)
	}
	if r.Attempts == 0 {
		r.Attempts = 10
	}
	if r.Span > 0 {
		if r.Attempts = r.fit(); r.Attempts > mostAttempts {
			wrong("Span %v: more than %d attempts fit into it: a larger First, Factor or Longest is allowed", r.Span, mostAttempts)
		}
	}
	return r
}

// fit is how many attempts the waits leave room for, and one more than [mostAttempts]
// where that is more.
func (r Retries) fit() int {
	var passed time.Duration
	for attempt := 1; attempt <= mostAttempts; attempt++ {
		if passed += r.wait(attempt); passed > r.Span {
			return attempt
		}
	}
	return mostAttempts + 1
}

// wait is how long the job waits after the attempt, on average.
func (r Retries) wait(attempt int) time.Duration {
	d := float64(r.First) * math.Pow(r.Factor, float64(attempt-1))
	if d >= float64(r.Longest) { // +Inf, too
		return r.Longest
	}
	return time.Duration(d)
}

// after is how long the job waits after the attempt.
func (r Retries) after(attempt int) time.Duration {
	d := r.wait(attempt)
	return d/2 + rand.N(d)
}

// retriesOf are those that the arguments declare, and whether they do.
func retriesOf(args Args) (r Retries, declared bool) {
	if says, ok := args.(interface{ Retries() Retries }); ok {
		return says.Retries().complete(args.Kind()), true
	}
	return Retries{}.complete(args.Kind()), false
}
