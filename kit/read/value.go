package read

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/money"
)

// Parse returns the value of the field that the text means: a [Day] for a bare
// date.
func (f *Field) Parse(text string) (any, error) {
	switch f.Kind {
	case ID, Ref, Int:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("must be a whole number")
		}
		return n, nil
	case Float:
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || n != n || n-n != 0 {
			return nil, fmt.Errorf("must be a number")
		}
		return n, nil
	case Money:
		return parseAmount(text)
	case Bool:
		return parseBool(text)
	case Time:
		t, day, err := parseTime(text)
		if day {
			return Day{t}, nil
		}
		return t, err
	case UUID:
		id, err := ParseUUID(text)
		return id.String(), err
	case Enum:
		text = f.Value(text)
		if !slices.Contains(f.Values, text) {
			return nil, fmt.Errorf("must be one of %s", strings.Join(f.Values, ", "))
		}
	}
	return text, nil
}

// List turns values of one type into a slice of that type, as [In] takes it.
func List(values []any) any {
	if len(values) == 0 {
		return []string{}
	}
	switch values[0].(type) {
	case int64:
		return listOf[int64](values)
	case float64:
		return listOf[float64](values)
	case bool:
		return listOf[bool](values)
	case time.Time:
		return listOf[time.Time](values)
	case money.Decimal:
		return listOf[money.Decimal](values)
	}
	return listOf[string](values)
}

func listOf[T any](values []any) []T {
	typed := make([]T, 0, len(values))
	for _, value := range values {
		if t, ok := value.(T); ok {
			typed = append(typed, t)
		}
	}
	return typed
}

func parseBool(text string) (bool, error) {
	switch text {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, fmt.Errorf("must be true or false")
}

// parseTime reads RFC 3339 or a day, and reports whether it was a day.
func parseTime(text string) (t time.Time, day bool, err error) {
	if t, err = time.Parse(time.DateOnly, text); err == nil && t.Year() > 0 {
		return t, true, nil
	}
	// A plus sign that was not escaped in a query arrives as a space.
	if t, err = time.Parse(time.RFC3339Nano, strings.Replace(text, " ", "+", 1)); err == nil {
		t = t.UTC().Truncate(time.Microsecond)
		if micros := t.UnixMicro(); micros >= minMicros && micros <= maxMicros {
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
