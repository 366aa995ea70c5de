package jobs

import (
	"context"
	"time"
)

// grace is how long a handler has to return after its context was cancelled.
const grace = 3 * time.Second

// hold takes the claim in, unless the runner has stopped.
func (r *Runner) hold(c *Claim) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return false
	}
	r.claims[c] = struct{}{}
	return true
}

func (r *Runner) drop(c *Claim) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.claims, c)
	r.signal()
}

// signal wakes Stop when no job is left.
func (r *Runner) signal() {
	if !r.closed || len(r.claims) > 0 {
		return
	}
	select {
	case <-r.idle:
	default:
		close(r.idle)
	}
}

func (r *Runner) stopped() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.closed
}

// Stop lets the handlers finish until ctx ends, then cancels their contexts, and
// releases the rest to other processes. From the beginning, Run claims
// nothing any more.
func (r *Runner) Stop(ctx context.Context) {
	r.mu.Lock()
	r.closed = true
	r.signal()
	r.mu.Unlock()
	select {
	case <-r.idle:
	case <-ctx.Done():
		r.interrupt(context.WithoutCancel(ctx))
	}
	r.pulse()
	<-r.still
}

// interrupt ends the handlers. A claim whose handler does not return is
// released all the same: its fence keeps it from doing harm.
func (r *Runner) interrupt(ctx context.Context) {
	for _, c := range r.left() {
		c.cancel(errShutdown)
	}
	ctx, cancel := context.WithTimeout(ctx, grace)
	defer cancel()
	select {
	case <-r.idle:
		return
	case <-ctx.Done():
	}
	for _, c := range r.left() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
		err := c.release(ctx)
		cancel()
		r.log.WarnContext(ctx, "handler did not stop: its job was released", "job_id", c.ID, "kind", c.kind, "err", err)
	}
}

func (r *Runner) left() []*Claim {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := make([]*Claim, 0, len(r.claims))
	for c := range r.claims {
		all = append(all, c)
	}
	return all
}
