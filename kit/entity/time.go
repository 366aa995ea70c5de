package entity

import (
	"fmt"
	"strings"
	"time"
)

// Earliest and Latest are the microseconds since 1970 that both databases keep:
// years 1 to 9999.
var (
	Earliest = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()
	Latest   = time.Date(9999, 12, 31, 23, 59, 59, 999999000, time.UTC).UnixMicro()
)

// Day is a bare date where a time is expected: the whole day in UTC
// (doc/api/values.md).
type Day struct{ Start time.Time }

// End is the midnight after the day, as far as there are years for it.
func (d Day) End() time.Time {
	if end := d.Start.AddDate(0, 0, 1); end.UnixMicro() <= Latest {
		return end
	}
	return time.UnixMicro(Latest).UTC()
}

// parseTime reads RFC 3339 or a day, and reports whether it was a day.
func parseTime(text string) (t time.Time, day bool, err error) {
	if t, err = time.Parse(time.DateOnly, text); err == nil && t.Year() > 0 {
		return t, true, nil
	}
	// A plus sign that was not escaped in a query arrives as a space.
	if t, err = time.Parse(time.RFC3339Nano, strings.Replace(text, " ", "+", 1)); err == nil {
		t = t.UTC().Truncate(time.Microsecond)
		if micros := t.UnixMicro(); micros >= Earliest && micros <= Latest {
			return t, false, nil
		}
	}
	return time.Time{}, false, fmt.Errorf("must be a time such as 2026-01-31T12:00:00Z, or a day such as 2026-01-31")
}

// ParseMoment reads RFC 3339, or a day, which begins at midnight in UTC.
func ParseMoment(text string) (time.Time, error) {
	t, _, err := parseTime(text)
	return t, err
}

// ParseEnd reads the end of a span that does not belong to it, in RFC 3339, or
// the last day of the span, which does.
func ParseEnd(text string) (time.Time, error) {
	t, day, err := parseTime(text)
	if day {
		t = Day{t}.End()
	}
	return t, err
}
