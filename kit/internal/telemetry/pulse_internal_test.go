package telemetry

import (
	"testing"
	"time"
)

// A time is counted where no shorter one is, and at most a quarter of it is added.
func TestTimesAreCountedInBuckets(t *testing.T) {
	t.Parallel()
	for us := int64(0); us < 1<<22; us = us*17/16 + 1 {
		at := bucket(us)
		if most := ceiling(at); most < us || most > us+us/4 || at > 0 && ceiling(at-1) >= us {
			t.Fatalf("%d µs are counted at %d, up to %d after %d", us, at, most, ceiling(max(at-1, 0)))
		}
	}
	if at := bucket(1 << 62); at != 127 {
		t.Errorf("a very long time is counted at %d", at)
	}
}

func TestAPulseIsOfTheLastHour(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 27, 10, 0, 30, 0, time.UTC)
	p := &Pulse{Now: func() time.Time { return now }}
	for i := range 100 {
		p.note(200+300*(i/99), time.Duration(i+1)*time.Millisecond)
	}
	now = now.Add(59 * time.Minute)
	p.note(200, time.Millisecond)
	all := p.Minutes()
	if first := all[0]; first.Ago != 59 || first.Requests != 100 || first.Failed != 1 || first.HalfUS < 50_000 || first.HalfUS > 62_500 || first.MostUS < 95_000 || first.MostUS > 118_750 {
		t.Errorf("the first minute has %+v", first)
	}
	if last, before := all[59], all[58]; last.Requests != 1 || last.Ago != 0 || before.Requests != 0 || before.MostUS != 0 {
		t.Errorf("the last minutes have %+v and %+v", before, last)
	}
	now = now.Add(time.Minute)
	if first := p.Minutes()[0]; first.Requests != 0 {
		t.Errorf("after an hour the minute has %+v", first)
	}
}
