package migration

import (
	"testing"
	"time"
)

func TestBatchesTakeTheirTime(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		size int
		took time.Duration
		want int
	}{
		"half the time makes it twice as large": {1000, batchTime / 2, 2000},
		"no time makes it no larger than that":  {1000, 0, 2000},
		"twice the time makes it half as large": {1000, 2 * batchTime, 500},
		"one that waited is small at once":      {1000, 100 * batchTime, 10},
		"one row is the least":                  {3, time.Minute, 1},
		"there is a largest one":                {largestBatch, batchTime / 2, largestBatch},
	} {
		if got := nextBatch(c.size, c.took); got != c.want {
			t.Errorf("%s: %d rows in %v, then %d, want %d", name, c.size, c.took, got, c.want)
		}
	}
}
