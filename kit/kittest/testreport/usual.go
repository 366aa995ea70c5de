package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// long is how many seconds a package takes that is named when it begins.
const long = 10

//go:embed usual.txt
var usualText string

// usual are the seconds that packages take, of those that take long.
var usual = readUsual(usualText)

func readUsual(text string) map[string]int {
	all := make(map[string]int)
	for line := range strings.Lines(text) {
		if name, seconds, ok := strings.Cut(strings.TrimSpace(line), " "); ok && name != "#" {
			all[name], _ = strconv.Atoi(seconds)
		}
	}
	return all
}

// times are those of this run, as usual.txt has them.
func (r *run) times() []byte {
	var b bytes.Buffer
	b.WriteString("# Seconds of packages that take 10 or more, on two cores, without -race: make test FLAGS=-count=1 USUAL=1\n")
	for _, name := range slices.Sorted(maps.Keys(r.took)) {
		if r.took[name] >= long {
			fmt.Fprintf(&b, "%s %.0f\n", name, r.took[name])
		}
	}
	return b.Bytes()
}
