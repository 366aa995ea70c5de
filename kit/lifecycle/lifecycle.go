// Package lifecycle has the states of versions of an API, operations and fields
// between their first day and their last:
//
//	active -> stable -> deprecated -> retired
//
// It owns the states, the dates that lead from one to the next, how far the
// rate limit of a deprecated version is lowered, and brown-outs: announced
// times at which what is deprecated answers as if it were gone. All of it is a
// function of an instant, so that a test walks through years with a clock.
//
// Package announce writes it into answers of REST, GraphQL's schema has it as
// @deprecated, and package usage counts uses (doc/api/lifecycle.md).
package lifecycle

import (
	"slices"
	"time"
)

// State is where something stands.
type State string

// The states.
const (
	Active     State = "active"     // gets fixes and features
	Stable     State = "stable"     // gets fixes
	Deprecated State = "deprecated" // works, and will be closed
	Retired    State = "retired"    // closed
)

// Plan has the dates of the versions of an API. A nil Plan plans nothing: every
// version is active.
type Plan struct {
	// Versions are those that are not active, in any order.
	Versions []*Version
	// Brownouts are those of deprecated operations and fields. Versions have
	// their own.
	Brownouts []Window
	// Dated says since when something is deprecated (RFC 9745) in the place of
	// "true".
	Dated bool
	// Now is the clock, time.Now where it is nil.
	Now func() time.Time
}

// At is the time by the plan's clock.
func (p *Plan) At() time.Time {
	if p == nil || p.Now == nil {
		return time.Now()
	}
	return p.Now()
}

// IsDated reports whether deprecated operations and fields have dates.
func (p *Plan) IsDated() bool { return p != nil && p.Dated }

// Slows reports whether a version ever lowers rate limits.
func (p *Plan) Slows() bool {
	return p != nil && slices.ContainsFunc(p.Versions, func(v *Version) bool { return v.Slowing.Steps > 0 })
}

// Kind is a kind of deprecated thing, whose uses are counted.
type Kind string

// The kinds.
const (
	OfVersion   Kind = "version"
	OfOperation Kind = "operation"
	OfField     Kind = "field"
)

// Of returns the plan of a version by its major number, nil for none.
func (p *Plan) Of(major string) *Version {
	if p == nil {
		return nil
	}
	i := slices.IndexFunc(p.Versions, func(v *Version) bool { return v.Major == major })
	if i < 0 {
		return nil
	}
	return p.Versions[i]
}

// Version is the plan of one version. A zero time never comes.
type Version struct {
	Major string // "1"
	// Stable, Deprecated and Sunset are when it enters the states after the first.
	Stable, Deprecated, Sunset time.Time
	// Successor is the major number of the version to move to, and Guide the URL
	// of a page that says how. Either may be empty.
	Successor, Guide string
	// Slowing lowers the rate limit.
	Slowing Slowing
	// Brownouts are in the order of time.
	Brownouts []Window
}

// State is where the version stands. That of nil is active.
func (v *Version) State(at time.Time) State {
	switch {
	case v == nil:
		return Active
	case reached(v.Sunset, at):
		return Retired
	case reached(v.Deprecated, at):
		return Deprecated
	case reached(v.Stable, at):
		return Stable
	}
	return Active
}

// Share is how much of a caller's rate limit the version allows, in percent.
func (v *Version) Share(at time.Time) int {
	if v.State(at) != Deprecated {
		return 100
	}
	return v.Slowing.share(at)
}

// reached reports whether the instant has come.
func reached(instant, at time.Time) bool { return !instant.IsZero() && !at.Before(instant) }

// Slowing lowers a rate limit to a part of itself, in equal steps: the first at
// First, the last at Last. The zero Slowing lowers nothing.
type Slowing struct {
	To          int // percent, of the limit before
	Steps       int // how many, the first and the last among them
	First, Last time.Time
}

func (s Slowing) share(at time.Time) int {
	if s.Steps == 0 || at.Before(s.First) {
		return 100
	}
	taken := s.Steps
	if at.Before(s.Last) {
		taken = 1 + int(float64(at.Sub(s.First))/float64(s.Last.Sub(s.First))*float64(s.Steps-1))
	}
	return 100 - (100-s.To)*taken/s.Steps
}

// Ending is the end of an operation or a field that is deprecated, as its
// schema declares it.
type Ending struct {
	// Since is when it became deprecated: from the start, if it is zero. Sunset is
	// when it will be gone: never, if it is zero.
	Since, Sunset time.Time
	// Instead names the replacement.
	Instead string
}

// End returns the ending with dates as 2027-01-31, of which either may be empty.
func End(since, sunset, instead string) *Ending {
	return &Ending{Since: date(since), Sunset: date(sunset), Instead: instead}
}

// date panics where there is no date: the generator has checked it.
func date(text string) time.Time {
	if text == "" {
		return time.Time{}
	}
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic("lifecycle: " + err.Error())
	}
	return day
}

// State is where what ends stands. That of nil is active.
func (e *Ending) State(at time.Time) State {
	switch {
	case e == nil:
		return Active
	case reached(e.Sunset, at):
		return Retired
	case e.Since.IsZero(), reached(e.Since, at):
		return Deprecated
	}
	return Active
}

// Gone reports whether what ends is gone: after its sunset, and in brown-outs.
func (p *Plan) Gone(e *Ending) bool {
	if e == nil {
		return false
	}
	at := p.At()
	switch e.State(at) {
	case Retired:
		return true
	case Deprecated:
		_, on := p.Out(at)
		return on
	}
	return false
}

// Out is the brown-out of operations and fields at an instant, if there is one.
func (p *Plan) Out(at time.Time) (Window, bool) {
	if p == nil {
		return Window{}, false
	}
	return during(p.Brownouts, at)
}

// Next is the brown-out of operations and fields that comes next, if there is one.
func (p *Plan) Next(at time.Time) (Window, bool) {
	if p == nil {
		return Window{}, false
	}
	return after(p.Brownouts, at)
}
