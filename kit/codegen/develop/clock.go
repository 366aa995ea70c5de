package develop

import (
	"fmt"
	"strings"
	"time"
)

// clock measures a round and its parts.
type clock struct {
	began, last time.Time
	worked      time.Duration
	parts       []string
}

// newClock is a clock that began with the save.
func newClock(saved time.Time) *clock {
	return &clock{began: saved, last: time.Now(), worked: work()}
}

// lap ends a part.
func (c *clock) lap(part string) {
	now := time.Now()
	c.parts = append(c.parts, fmt.Sprintf("%s %.1f", part, now.Sub(c.last).Seconds()))
	c.last = now
}

// String is "3.2 s (see 0.1, read 0.5, …; 4.1 s of CPU)".
func (c *clock) String() string {
	return fmt.Sprintf("%.1f s (%s; %.1f s of CPU)", time.Since(c.began).Seconds(), strings.Join(c.parts, ", "), (work() - c.worked).Seconds())
}
