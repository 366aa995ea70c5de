package events

import (
	"context"
	"fmt"
	"time"
)

// Figures say how a tailer keeps up.
type Figures struct {
	// Subscriptions is how many there are.
	Subscriptions int
	// Read counts the events that the tailer has read since it was made.
	Read int
	// Replaced counts the subscriptions that ended with [ErrReplaced].
	Replaced int
	// Delay is how old the oldest of the last batch was when it was read.
	Delay time.Duration
	// Lag is the time since the tailer last reached the newest commit: below about a
	// second while all is well, and 0 without subscriptions. No event that is committed
	// and not handed out is older.
	Lag time.Duration

	seen time.Time // when the last read that got to the end began
}

// late is a lag that is no longer that of a tailer that works.
const late = 10 * time.Second

// Late returns an error where events are late: the subscriptions of this process have
// been handed no event for a while, or not all.
func (t *Tailer) Late(context.Context) error {
	if lag := t.Figures().Lag; lag > late {
		return fmt.Errorf("events that are committed were not handed to subscriptions for %s", lag.Round(time.Second))
	}
	return nil
}

// Figures returns the figures of now.
func (t *Tailer) Figures() Figures {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.figures
	f.Subscriptions = len(t.subscriptions.all)
	if f.Subscriptions > 0 && !f.seen.IsZero() {
		f.Lag = time.Since(f.seen)
	}
	return f
}

func (t *Tailer) note(change func(*Figures)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	change(&t.figures)
}
