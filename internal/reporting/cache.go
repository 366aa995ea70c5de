package reporting

import (
	"context"
	"sync"
	"time"
)

// kept is for how long the dashboard's figures are shown again.
const kept = 15 * time.Second

// cacheKey is the query that a cached result answers. An argument that was left
// out stays empty: the moment that it stands for is another each time.
type cacheKey struct {
	by               Interval
	openFrom, openTo bool
	from, to         time.Time
}

// cache keeps figures for a moment. Of those who ask for the same at once,
// one reads and the others wait. The zero value is ready.
type cache struct {
	mu      sync.Mutex
	entries map[cacheKey]*cached
}

type cached struct {
	mu    sync.Mutex
	until time.Time
	value *Analytics
}

func (c *cache) get(ctx context.Context, key cacheKey, now time.Time, read func(context.Context) (*Analytics, error)) (*Analytics, error) {
	e := c.entry(key, now)
	e.mu.Lock()
	defer e.mu.Unlock()
	if now.Before(e.until) {
		return e.value, nil
	}
	value, err := read(ctx)
	if err != nil {
		return nil, err
	}
	e.value, e.until = value, now.Add(kept)
	return value, nil
}

// entry returns the key's entry and forgets the others' that are too old.
func (c *cache) entry(key cacheKey, now time.Time) *cached {
	c.mu.Lock()
	defer c.mu.Unlock()
	for k, e := range c.entries {
		if k != key && e.mu.TryLock() {
			if !now.Before(e.until) {
				delete(c.entries, k)
			}
			e.mu.Unlock()
		}
	}
	if c.entries == nil {
		c.entries = make(map[cacheKey]*cached)
	}
	if c.entries[key] == nil {
		c.entries[key] = new(cached)
	}
	return c.entries[key]
}
