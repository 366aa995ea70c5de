package problem_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/problem"
)

// Every value that was sent can be shown: JSON has no years before 0.
func TestADetailCanBeWritten(t *testing.T) {
	t.Parallel()
	for _, value := range []any{time.Date(-1, 12, 31, 0, 0, 0, 0, time.UTC), time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), []any{"a"}, nil} {
		if _, err := json.Marshal(problem.Rulef("at", value, "is too early").Value); err != nil {
			t.Errorf("%v: %v", value, err)
		}
	}
}
