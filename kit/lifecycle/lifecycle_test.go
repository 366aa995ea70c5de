package lifecycle_test

import (
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/lifecycle"
)

const planned = `v1 stable=2026-06-01 deprecated=2027-01-01 sunset=2027-07-01 successor=v2
	guide=https://docs.example.com/v2 limit=20% slowing=2027-03-01..2027-06-01 steps=4
	brownouts=2027-06-07T12:00Z/6h,2027-05-03T12:00Z/1h; v2`

func parse(t *testing.T, text string) []*lifecycle.Version {
	t.Helper()
	all, err := lifecycle.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func at(t *testing.T, text string) time.Time {
	t.Helper()
	instant, err := lifecycle.ParseTime(text)
	if err != nil {
		t.Fatal(err)
	}
	return instant
}

func TestAVersionGoesThroughItsStates(t *testing.T) {
	t.Parallel()
	v := parse(t, planned)[0]
	for _, c := range []struct {
		at    string
		state lifecycle.State
		share int
		out   bool
		next  string
	}{
		{"2026-05-31T23:59:59Z", lifecycle.Active, 100, false, "2027-05-03T12:00:00Z/2027-05-03T13:00:00Z"},
		{"2026-06-01", lifecycle.Stable, 100, false, "2027-05-03T12:00:00Z/2027-05-03T13:00:00Z"},
		{"2027-01-01", lifecycle.Deprecated, 100, false, "2027-05-03T12:00:00Z/2027-05-03T13:00:00Z"},
		{"2027-02-28T23:59:59Z", lifecycle.Deprecated, 100, false, "2027-05-03T12:00:00Z/2027-05-03T13:00:00Z"},
		{"2027-03-01", lifecycle.Deprecated, 80, false, "2027-05-03T12:00:00Z/2027-05-03T13:00:00Z"},
		{"2027-04-01", lifecycle.Deprecated, 60, false, "2027-05-03T12:00:00Z/2027-05-03T13:00:00Z"},
		{"2027-05-03T11:59:59Z", lifecycle.Deprecated, 40, false, "2027-05-03T12:00:00Z/2027-05-03T13:00:00Z"},
		{"2027-05-03T12:00Z", lifecycle.Deprecated, 40, true, "2027-06-07T12:00:00Z/2027-06-07T18:00:00Z"},
		{"2027-05-03T12:59:59Z", lifecycle.Deprecated, 40, true, "2027-06-07T12:00:00Z/2027-06-07T18:00:00Z"},
		{"2027-05-03T13:00Z", lifecycle.Deprecated, 40, false, "2027-06-07T12:00:00Z/2027-06-07T18:00:00Z"},
		{"2027-06-01", lifecycle.Deprecated, 20, false, "2027-06-07T12:00:00Z/2027-06-07T18:00:00Z"},
		{"2027-06-07T20:00+02:00", lifecycle.Deprecated, 20, false, ""},
		{"2027-07-01", lifecycle.Retired, 100, false, ""},
		{"2036-07-01", lifecycle.Retired, 100, false, ""},
	} {
		now := at(t, c.at)
		_, out := v.Out(now)
		next := ""
		if w, ok := v.Next(now); ok {
			next = w.String()
		}
		if v.State(now) != c.state || v.Share(now) != c.share || out != c.out || next != c.next {
			t.Errorf("%s: %s, %d%%, out %v, next %q; want %+v", c.at, v.State(now), v.Share(now), out, next, c)
		}
	}
}

// The second of the versions has nothing after its name, and of others nothing is said.
func TestNothingIsPlanned(t *testing.T) {
	t.Parallel()
	plan := &lifecycle.Plan{Versions: parse(t, planned)}
	var none *lifecycle.Plan
	for _, v := range []*lifecycle.Version{plan.Of("2"), plan.Of("3"), none.Of("1")} {
		if got := v.State(at(t, "2099-01-01")); got != lifecycle.Active || v.Share(at(t, "2099-01-01")) != 100 {
			t.Errorf("%+v is %s", v, got)
		}
	}
}

func TestWhatIsWrongWithAPlanIsSaid(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"1":                     `"1" is not the name of a version, as in v1`,
		"v0":                    `"v0" is not the name`,
		"v1;v1":                 "v1 is there twice",
		"v1 stable":             "v1 stable=: must be a date or a time, as in 2027-07-01 or 2027-07-01T12:00Z",
		"v1 stable=2027-02-30":  "must be a date",
		"v1 end=2027-01-01":     `v1 has "end": allowed are stable, deprecated, sunset, successor, guide, limit, slowing, steps, brownouts`,
		"v1 sunset=2027-01-01":  "v1: sunset needs deprecated",
		"v1 successor=v1":       "v1: successor must be another version",
		"v1 guide=docs/v2":      "must be a URL",
		"v1 guide=https://a/<>": "must be a URL",
		"v1 deprecated=2027-01-01 deprecated=2027-02-01":                               "v1 has deprecated twice",
		"v1 deprecated=2027-01-01 sunset=2027-01-01 successor=v2":                      "v1: sunset must come after deprecated",
		"v1 deprecated=2027-01-01 sunset=2027-02-01":                                   "v1: sunset needs successor or guide",
		"v1 stable=2027-01-01 deprecated=2027-01-01":                                   "v1: deprecated must come after stable",
		"v1 deprecated=2027-01-01 limit=20%":                                           "v1: limit, slowing and steps need each other",
		"v1 deprecated=2027-01-01 limit=100% slowing=2027-01-01..2027-02-01 steps=2":   "from 1% to 99%",
		"v1 deprecated=2027-01-01 limit=20% slowing=2027-02-01..2027-01-01 steps=2":    "must be two times",
		"v1 deprecated=2027-01-01 limit=20% slowing=2026-12-31..2027-02-01 steps=2":    "v1: slowing must lie between deprecated and sunset",
		"v1 deprecated=2027-01-01 limit=20% slowing=2027-01-01..2027-02-01 steps=1":    "from 2 to 100",
		"v1 deprecated=2027-01-01 brownouts=2026-12-31T23:30Z/1h":                      "the brown-out 2026-12-31T23:30:00Z/2027-01-01T00:30:00Z must lie between",
		"v1 deprecated=2027-01-01 brownouts=2027-02-01":                                "must be a time and how long it takes",
		"v1 deprecated=2027-01-01 brownouts=2027-02-01T01:00Z/1h,2027-02-01T00:30Z/1h": "overlap",
		"v1 sunset=2027-01-01; v2 successor=v2":                                        "v2: successor must be another version",
	} {
		_, err := lifecycle.Parse(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func TestOperationsAndFieldsEnd(t *testing.T) {
	t.Parallel()
	windows, err := lifecycle.ParseWindows("2027-03-01T12:00Z/1h")
	if err != nil {
		t.Fatal(err)
	}
	var now time.Time
	plan := &lifecycle.Plan{Brownouts: windows, Now: func() time.Time { return now }}
	ends, never := lifecycle.End("2027-01-01", "2027-07-01", "use that"), lifecycle.End("2027-01-01", "", "use that")
	for _, c := range []struct {
		at          string
		state       lifecycle.State
		gone, other bool
	}{
		{"2026-12-31", lifecycle.Active, false, false},
		{"2027-01-01", lifecycle.Deprecated, false, false},
		{"2027-03-01T12:30Z", lifecycle.Deprecated, true, true},
		{"2027-03-01T13:00Z", lifecycle.Deprecated, false, false},
		{"2027-07-01", lifecycle.Retired, true, false},
	} {
		now = at(t, c.at)
		if ends.State(now) != c.state || plan.Gone(ends) != c.gone || plan.Gone(never) != c.other || plan.Gone(nil) {
			t.Errorf("%s: %s, gone %v and %v; want %+v", c.at, ends.State(now), plan.Gone(ends), plan.Gone(never), c)
		}
	}
}
