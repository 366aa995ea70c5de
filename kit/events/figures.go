package events

import "time"

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
	// Lag is the time since the last read that succeeded: below about a second while
	// the database answers, and 0 without subscriptions.
	Lag time.Duration

	seen time.Time // when events could be read last
}

// Figures returns the figures of now.
func (t *Tailer) Figures() Figures {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.figures
	f.Subscriptions = len(t.subscriptions)
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
