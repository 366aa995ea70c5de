package ratelimit

import (
	"context"
	_ "embed"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/entwine-go/entwine/kit/internal/redisurl"
)

//go:embed take.lua
var takeText string

var takeScript = redis.NewScript(takeText)

// patience is how long Redis may take: it is asked before every request.
const patience = 100 * time.Millisecond

// Redis counts in a Redis that several processes share, by its clock: one
// script, so that nothing comes between reading and writing.
type Redis struct {
	Client redis.UniversalClient
	// Now replaces the server's clock where it is not nil.
	Now func() time.Time
}

// Dial returns a limiter for the Redis at an address. It connects when it is
// first asked, and gives up early. The caller closes its Client.
func Dial(url string) (*Redis, error) {
	client, err := redisurl.Open(url, func(o *redis.Options) {
		o.DialTimeout, o.ReadTimeout, o.WriteTimeout, o.PoolTimeout = patience, patience, patience, patience
		// A refused connection is an answer: dialing again would hold the request for all of that.
		o.MaxRetries, o.DialerRetries = -1, 1
		o.ContextTimeoutEnabled = true
	})
	if err != nil {
		return nil, fmt.Errorf("address of Redis: %w", err)
	}
	return &Redis{Client: client}, nil
}

// Take implements [Limiter].
func (l *Redis) Take(ctx context.Context, k Key, r Rate, n int) (Result, error) {
	return l.change(ctx, k, r, n, 0)
}

// Give implements [Limiter].
func (l *Redis) Give(ctx context.Context, k Key, r Rate, taken Result, n int) (Result, error) {
	return l.change(ctx, k, r, -n, taken.At.UnixMicro())
}

func (l *Redis) change(ctx context.Context, k Key, r Rate, n int, taken int64) (Result, error) {
	now := int64(0)
	if l.Now != nil {
		now = l.Now().UnixMicro()
	}
	key := "entwine:rate:" + r.Algorithm + ":" + k.String()
	parts, err := takeScript.Run(ctx, l.Client, []string{key}, r.Algorithm, r.Count, r.Window.Microseconds(), n, now, taken).Slice()
	if err != nil {
		return Result{}, fmt.Errorf("count in Redis: %w", err)
	}
	var numbers [4]float64
	for i := range numbers {
		text, _ := parts[i+1].(string)
		if numbers[i], err = strconv.ParseFloat(text, 64); err != nil {
			return Result{}, fmt.Errorf("count in Redis: %w", err)
		}
	}
	return noted(result(numbers[3], parts[0] == int64(1), float64(r.Count), numbers[0], numbers[1], numbers[2]), r, n), nil
}
