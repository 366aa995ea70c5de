package ratelimit

import (
	"context"
	"hash/maphash"
	"sync"
	"time"
)

// Memory counts in this process. The zero value is ready.
type Memory struct {
	// Now is the time, time.Now where it is nil.
	Now func() time.Time

	once   sync.Once
	seed   maphash.Seed
	shards [shards]shard
}

// shards is how many locks there are.
const shards = 32

// most is how many keys a shard has room for: who sends from more addresses
// than that pushes out others at random, and no memory is filled.
const most = 1 << 15

type shard struct {
	mu      sync.Mutex
	entries map[Key]*entry
	sweep   int // the number of entries at which to look for old ones
}

type entry struct {
	state
	until int64 // microseconds: when nothing of it counts any more
}

// Take implements [Limiter]. It never fails.
func (m *Memory) Take(_ context.Context, k Key, r Rate, n int) (Result, error) {
	return m.change(k, r, n, time.Time{}), nil
}

// Give implements [Limiter]. It never fails.
func (m *Memory) Give(_ context.Context, k Key, r Rate, taken Result, n int) (Result, error) {
	return m.change(k, r, -n, taken.At), nil
}

func (m *Memory) change(k Key, r Rate, n int, taken time.Time) Result {
	m.once.Do(func() { m.seed = maphash.MakeSeed() })
	now := time.Now()
	if m.Now != nil {
		now = m.Now()
	}
	at := now.UnixMicro()
	s := &m.shards[maphash.Comparable(m.seed, k)%shards]
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entries[k]
	if e == nil {
		e = s.add(k, at)
	}
	e.until = at + 2*r.Window.Microseconds()
	return noted(e.take(r, change{n: float64(n), now: float64(at), taken: float64(taken.UnixMicro())}), r, n)
}

// add makes room for a key.
func (s *shard) add(k Key, now int64) *entry {
	if s.entries == nil {
		s.entries, s.sweep = make(map[Key]*entry), 128
	}
	if len(s.entries) >= s.sweep {
		for old, e := range s.entries {
			if e.until <= now {
				delete(s.entries, old)
			}
		}
		for old := range s.entries {
			if len(s.entries) < most {
				break
			}
			delete(s.entries, old)
		}
		s.sweep = max(128, min(most, 2*len(s.entries)))
	}
	e := new(entry)
	s.entries[k] = e
	return e
}

// Len returns how many keys are remembered.
func (m *Memory) Len() (n int) {
	for i := range m.shards {
		s := &m.shards[i]
		s.mu.Lock()
		n += len(s.entries)
		s.mu.Unlock()
	}
	return n
}
