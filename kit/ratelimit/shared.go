package ratelimit

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"
)

// Shared counts in Redis and, while that is away, in this process, with the
// same figures.
type Shared struct {
	Redis  *Redis
	Memory *Memory
	Log    *slog.Logger

	asked atomic.Int64 // nanoseconds since 1970: when Redis may be asked again
}

// pause is how long Redis is left alone after it failed.
const pause = time.Second

// Take implements [Limiter]. It never fails.
func (s *Shared) Take(ctx context.Context, k Key, r Rate, n int) (Result, error) {
	return s.ask(ctx, func(ctx context.Context, l Limiter) (Result, error) { return l.Take(ctx, k, r, n) })
}

// Give implements [Limiter]. It never fails. An amount that was taken before Redis
// went away or came back is counted elsewhere. Giving it back reduces the amounts
// of others by at most n.
func (s *Shared) Give(ctx context.Context, k Key, r Rate, taken Result, n int) (Result, error) {
	return s.ask(ctx, func(ctx context.Context, l Limiter) (Result, error) { return l.Give(ctx, k, r, taken, n) })
}

// ask asks Redis where it is there, and otherwise this process.
func (s *Shared) ask(ctx context.Context, do func(context.Context, Limiter) (Result, error)) (Result, error) {
	again := s.asked.Load()
	if now := time.Now(); again == 0 || now.UnixNano() >= again && s.asked.CompareAndSwap(again, now.Add(pause).UnixNano()) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
		defer cancel()
		result, err := do(ctx, s.Redis)
		if err == nil {
			if again != 0 && s.asked.Swap(0) != 0 {
				s.Log.InfoContext(ctx, "requests are counted in Redis again")
			}
			return result, nil
		}
		if s.asked.Swap(time.Now().Add(pause).UnixNano()) == 0 {
			s.Log.WarnContext(ctx, "requests are counted in this process: Redis is away", "err", err)
		}
	}
	return do(ctx, s.Memory)
}
