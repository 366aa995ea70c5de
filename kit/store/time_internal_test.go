package store

import (
	"testing"
	"time"
)

func TestStoredTimesAreReadAsTheyWereWritten(t *testing.T) {
	for _, text := range []string{"2026-01-02T03:04:05.678901Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.000001Z", "2024-02-29T12:00:00.1Z"} {
		want, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := storedTime(want.Format(timeLayout)); !ok || !got.Equal(want) || got.Location() != time.UTC {
			t.Errorf("%s is read as %v, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "2026-01-02 03:04:05+00:00", "2026-01-02 03:04:05.678901+02:00", "2026-01-02T03:04:05.678901+00:00", "a title as long as a time, x+00:00"[:26] + "+00:00", "2026-01-02 03:04:05.67890x+00:00"} {
		if got, ok := storedTime(text); ok {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}
