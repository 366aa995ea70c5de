package events

import "time"

// Figures are how a tailer does.
type Figures struct {
	// Subscriptions are those that listen now.
	Subscriptions int
	// Read counts the events that were read for them.
	Read int
	// Delay is how old the oldest of the last batch was when it was read.
	Delay time.Duration
	// Lag is for how long reads have failed: below about a second normally, and 0
	// without subscriptions.
	Lag time.Duration

	seen time.Time // when events could be read last
}

// Figures returns how the tailer does.
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
