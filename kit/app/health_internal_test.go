package app

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// A service elsewhere is asked once a minute, and four times while it is away.
func TestServicesElsewhereAreAskedRarely(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var away error
		asked := 0
		ready := rarely(func(context.Context) error { asked++; return away })
		for i, step := range []struct {
			wait time.Duration
			away bool
			want int
			err  bool
		}{{0, false, 1, false}, {59 * time.Second, true, 1, false}, {time.Second, true, 2, true}, {14 * time.Second, false, 2, true}, {time.Second, false, 3, false}} {
			time.Sleep(step.wait)
			if away = nil; step.away {
				away = errors.New("away")
			}
			if err := ready(t.Context()); (err != nil) != step.err || asked != step.want {
				t.Errorf("step %d: %v after %d questions, want %d", i, err, asked, step.want)
			}
		}
	})
}
