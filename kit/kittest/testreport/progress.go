package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// progress is of a package that runs.
type progress struct {
	since time.Time
	test  string // the last that began
}

func (r *run) packageBegins(name string) {
	r.begun[name] = &progress{since: r.now()}
	if seconds, ok := usual[name]; ok {
		fmt.Fprintf(r.to, "runs  %s, usually %d s\n", name, seconds)
	}
}

// testBegins notes the test, not its subtests.
func (r *run) testBegins(e event) {
	if p := r.begun[e.Package]; p != nil && !strings.Contains(e.Test, "/") {
		p.test = e.Test
	}
}

// lists says what runs, and since when.
func (r *run) lists() {
	for _, name := range slices.Sorted(maps.Keys(r.begun)) {
		p := r.begun[name]
		of := ""
		if seconds, ok := usual[name]; ok {
			of = fmt.Sprintf(" of usually %d s", seconds)
		}
		fmt.Fprintf(r.to, "      %s runs %s: %d s%s\n", name, p.test, int(r.now().Sub(p.since).Seconds()), of)
	}
}
