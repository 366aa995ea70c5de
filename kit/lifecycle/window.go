package lifecycle

import "time"

// Window is a time From one instant Until before another.
type Window struct{ From, Until time.Time }

// String writes the window as ISO 8601 has intervals.
func (w Window) String() string {
	return w.From.UTC().Format(time.RFC3339) + "/" + w.Until.UTC().Format(time.RFC3339)
}

// Out is the brown-out of the version at an instant, if there is one.
func (v *Version) Out(at time.Time) (Window, bool) {
	if v.State(at) != Deprecated {
		return Window{}, false
	}
	return during(v.Brownouts, at)
}

// Next is the brown-out of the version that comes next, if there is one.
func (v *Version) Next(at time.Time) (Window, bool) { return after(v.Brownouts, at) }

func during(windows []Window, at time.Time) (Window, bool) {
	for _, w := range windows {
		if !at.Before(w.From) && at.Before(w.Until) {
			return w, true
		}
	}
	return Window{}, false
}

func after(windows []Window, at time.Time) (Window, bool) {
	for _, w := range windows {
		if at.Before(w.From) {
			return w, true
		}
	}
	return Window{}, false
}
