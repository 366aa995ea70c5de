package main

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
)

// figure names what a benchmark measured.
type figure struct{ pkg, name, unit string }

func (f figure) compare(g figure) int {
	return cmp.Or(cmp.Compare(f.pkg, g.pkg), cmp.Compare(f.name, g.name), cmp.Compare(f.unit, g.unit))
}

// figures are the lowest values of several runs: what disturbs a run makes it
// slower, never faster.
type figures map[figure]float64

// cores is the suffix that `go test` adds to a name: the number of cores of the run.
var cores = regexp.MustCompile(`-[0-9]+$`)

// kept reports whether the line belongs into a baseline.
func kept(line string) bool {
	for _, start := range []string{"goos: ", "goarch: ", "pkg: ", "cpu: ", "Benchmark"} {
		if strings.HasPrefix(line, start) {
			return true
		}
	}
	return false
}

// parse reads the lines of benchmarks, which have a name, how often it ran,
// and pairs of a value and its unit.
func parse(text string) figures {
	all, pkg := figures{}, ""
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) == 2 && fields[0] == "pkg:" {
			pkg = fields[1]
		}
		if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		name := cores.ReplaceAllString(fields[0], "")
		measured := map[string]float64{}
		for i := 2; i+1 < len(fields); i += 2 {
			if v, err := strconv.ParseFloat(fields[i], 64); err == nil {
				measured[fields[i+1]] = v
			}
		}
		for _, unit := range units(measured) {
			key := figure{pkg, name, unit}
			if old, ok := all[key]; !ok || measured[unit] < old {
				all[key] = measured[unit]
			}
		}
	}
	return all
}

// units are those of the figures that another machine would measure as well.
// A benchmark that asks another process allocates for itself alone.
func units(measured map[string]float64) []string {
	has := func(unit string) bool { _, ok := measured[unit]; return ok }
	var floors []string
	for unit := range measured {
		if strings.HasSuffix(unit, "-floors/op") {
			floors = append(floors, unit)
		}
	}
	if floors == nil && has("allocs/op") && !has("orders/s") {
		return []string{"allocs/op"}
	}
	return floors
}
