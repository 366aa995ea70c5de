package telemetry

import (
	"math/bits"
	"sync"
	"time"
)

// Pulse counts the requests of each minute of the last hour, and how long they took, in the
// memory of the process: 60 minutes of 1 KiB.
type Pulse struct {
	// Now is the clock.
	Now func() time.Time

	mu      sync.Mutex
	minutes [60]minute
}

// Minute counts the answers of a minute.
type Minute struct {
	// Ago is how many minutes ago it began, 0 for the present one.
	Ago int `json:"ago"`
	// Requests are all but streams, and Failed those with a status from 500 on.
	Requests int64 `json:"requests"`
	Failed   int64 `json:"failed"`
	// HalfUS and MostUS are within how many microseconds half of them and 95 of a hundred were
	// answered, to a quarter of a power of two above.
	HalfUS int64 `json:"half_us"`
	MostUS int64 `json:"most_us"`
}

type minute struct {
	at               int64 // minutes since 1970
	requests, failed int64
	took             [128]int64 // by [bucket]
}

// note counts a request that has been answered.
func (p *Pulse) note(status int, took time.Duration) {
	at := p.Now().Unix() / 60
	p.mu.Lock()
	defer p.mu.Unlock()
	m := &p.minutes[at%int64(len(p.minutes))]
	if m.at != at {
		*m = minute{at: at}
	}
	m.requests++
	if status >= 500 {
		m.failed++
	}
	m.took[bucket(took.Microseconds())]++
}

// Minutes returns those of the last hour, the oldest first.
func (p *Pulse) Minutes() []Minute {
	now := p.Now().Unix() / 60
	p.mu.Lock()
	defer p.mu.Unlock()
	all := make([]Minute, len(p.minutes))
	for i := range all {
		one := &all[i]
		one.Ago = len(all) - 1 - i
		if m := &p.minutes[(now-int64(one.Ago))%int64(len(p.minutes))]; m.at == now-int64(one.Ago) {
			one.Requests, one.Failed, one.HalfUS, one.MostUS = m.requests, m.failed, m.within(50), m.within(95)
		}
	}
	return all
}

// within is how many microseconds so many of a hundred took at most.
func (m *minute) within(percent int64) int64 {
	left := (m.requests*percent + 99) / 100
	for i, n := range m.took {
		if left -= n; left <= 0 && m.requests > 0 {
			return ceiling(i)
		}
	}
	return 0
}

// bucket is where a time is counted: each power of two has four.
func bucket(us int64) int {
	if us < 4 {
		return int(max(us, 0))
	}
	power := bits.Len64(uint64(us)) - 3
	return min(power*4+int(us>>power), len(minute{}.took)-1)
}

// ceiling is the longest time that a bucket counts.
func ceiling(bucket int) int64 {
	if bucket < 8 {
		return int64(bucket)
	}
	power := bucket/4 - 1
	return int64(bucket%4+5)<<power - 1
}
