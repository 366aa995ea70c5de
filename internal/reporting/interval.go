package reporting

import (
	"time"

	"github.com/entwine-go/entwine/kit/problem"
)

// Interval is how long the steps of a series are.
type Interval string

// The intervals. A week begins on Monday, as ISO 8601 has it.
const (
	Day   Interval = "day"
	Week  Interval = "week"
	Month Interval = "month"
)

// check refuses what is no interval.
func (i Interval) check() error {
	switch i {
	case Day, Week, Month:
		return nil
	}
	return problem.Inputs(problem.Rulef("interval", string(i), "must be one of day, week, month"))
}

// start returns when the step begins that t is in.
func (i Interval) start(t time.Time) time.Time {
	t = day(t)
	switch i {
	case Week:
		return t.AddDate(0, 0, -(int(t.Weekday())+6)%7)
	case Month:
		return t.AddDate(0, 0, 1-t.Day())
	}
	return t
}

// next returns when the step after the one that begins at t begins.
func (i Interval) next(t time.Time) time.Time {
	switch i {
	case Week:
		return t.AddDate(0, 0, 7)
	case Month:
		return t.AddDate(0, 1, 0)
	}
	return t.AddDate(0, 0, 1)
}

// steps lists when the steps of the span begin.
func (i Interval) steps(s Span) []time.Time {
	var all []time.Time
	for t := i.start(s.From); t.Before(s.To); t = i.next(t) {
		all = append(all, t)
	}
	return all
}

// day returns when the day begins that t is in, in UTC.
func day(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }
