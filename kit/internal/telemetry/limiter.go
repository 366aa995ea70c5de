package telemetry

import (
	"context"

	"github.com/entwine-go/entwine/kit/ratelimit"
)

// Limiter counts what another limiter decides.
type Limiter struct {
	ratelimit.Limiter
	Metrics *Metrics
}

// Limiter returns a limiter that does what l does and counts it, or l itself
// where nothing is counted.
func (t *Telemetry) Limiter(l ratelimit.Limiter) ratelimit.Limiter {
	if t == nil || t.Metrics == nil {
		return l
	}
	return &Limiter{l, t.Metrics}
}

// Take implements ratelimit.Limiter.
func (l *Limiter) Take(ctx context.Context, k ratelimit.Key, r ratelimit.Rate, n int) (ratelimit.Result, error) {
	result, err := l.Limiter.Take(ctx, k, r, n)
	if n == 0 {
		return result, err // a look decides nothing
	}
	decision := "allowed"
	switch {
	case err != nil:
		decision = "failed"
	case !result.Allowed:
		decision = "refused"
	}
	l.Metrics.decisions.WithLabelValues(decision).Inc()
	return result, err
}
