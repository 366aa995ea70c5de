package jobs

import (
	"context"
	"time"
)

// Observer is called around each attempt at a job, for metrics and traces. Its methods
// are called by several goroutines at once.
type Observer interface {
	// Begin returns the context of the attempt. The parent is what the
	// client's Traceparent said of the request that asked for the job; waited
	// is for how long the job was due. The kind is one that the runner knows,
	// or unknown.
	Begin(ctx context.Context, kind string, id int64, attempt int, parent string, waited time.Duration) context.Context
	// End is called with Begin's context and the outcome: succeeded,
	// retrying, failed, released, or lost to another worker or a cancellation.
	End(ctx context.Context, kind, outcome string, took time.Duration)
}

// The outcomes of an attempt.
const (
	succeeded = "succeeded"
	retrying  = "retrying"
	failed    = "failed"
	released  = "released"
	lost      = "lost"
)

// observed does the job between the observer's calls, if there is an observer.
func (r *Runner) observed(ctx context.Context, c *Claim) {
	if r.Observer == nil {
		r.settle(ctx, c, r.work(ctx, c))
		return
	}
	kind := c.kind
	if _, ok := r.kinds[kind]; !ok {
		kind = "unknown"
	}
	began := time.Now()
	waited := time.Duration(max(0, c.waited) * float64(time.Second))
	ctx = r.Observer.Begin(ctx, kind, c.ID, c.Attempt, c.parent.String, waited)
	outcome := r.settle(ctx, c, r.work(ctx, c))
	r.Observer.End(ctx, kind, outcome, time.Since(began))
}
