// Command testreport reads what go test -json writes and says what matters:
// a line for each package, all of a test that failed, and at the end, loudly,
// what was not tested and why.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
)

func main() {
	ok, err := report(os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "testreport:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// event is a line of go test -json.
type event struct {
	Action     string
	Package    string
	ImportPath string
	Test       string
	Output     string
	Elapsed    float64
}

// run is what has been seen so far.
type run struct {
	to                    io.Writer
	output                map[string]*strings.Builder // of tests that have not ended, by package and name
	reasons               map[string]int              // why tests were skipped, and how many
	passed, failed, broke int
}

// report reports whether all went well.
func report(from io.Reader, to io.Writer) (bool, error) {
	r := &run{to: to, output: make(map[string]*strings.Builder), reasons: make(map[string]int)}
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil { // not from a test
			fmt.Fprintln(to, lines.Text())
			continue
		}
		r.see(e)
	}
	r.end()
	return r.failed == 0 && r.broke == 0 && r.passed > 0, lines.Err()
}

func (r *run) see(e event) {
	key := e.Package + " " + e.Test
	switch e.Action {
	case "output", "build-output":
		if e.Action == "build-output" {
			fmt.Fprint(r.to, e.Output)
			return
		}
		if r.output[key] == nil {
			r.output[key] = new(strings.Builder)
		}
		r.output[key].WriteString(e.Output)
		return
	case "pass", "fail", "skip":
		if e.Test == "" {
			r.packageEnds(e, key)
		} else {
			r.testEnds(e, key)
		}
		delete(r.output, key)
	}
}

func (r *run) testEnds(e event, key string) {
	switch e.Action {
	case "pass":
		r.passed++
	case "fail":
		r.failed++
		fmt.Fprintf(r.to, "FAIL  %s %s\n%s", e.Package, e.Test, r.text(key))
	case "skip":
		r.reasons[reason(r.text(key))]++
	}
}

func (r *run) packageEnds(e event, key string) {
	switch e.Action {
	case "pass":
		fmt.Fprintf(r.to, "ok    %s %.1fs\n", e.Package, e.Elapsed)
	case "fail":
		r.broke++ // also where it did not build, or panicked between tests
		fmt.Fprintf(r.to, "FAIL  %s %.1fs\n%s", e.Package, e.Elapsed, r.text(key))
	}
}

func (r *run) text(key string) string {
	if b := r.output[key]; b != nil {
		return b.String()
	}
	return ""
}

// reason returns the line in which a skipped test says why.
func reason(output string) string {
	why := "no reason given"
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "===") || strings.HasPrefix(line, "---") {
			continue
		}
		if _, text, ok := strings.Cut(line, ".go:"); ok { // file.go:12: why
			_, line, _ = strings.Cut(text, ": ")
		}
		why = line
	}
	return why
}

func (r *run) end() {
	skipped := 0
	for _, n := range r.reasons {
		skipped += n
	}
	fmt.Fprintf(r.to, "\n%d passed, %d failed, %d skipped\n", r.passed, r.failed, skipped)
	for _, why := range slices.Sorted(maps.Keys(r.reasons)) {
		fmt.Fprintf(r.to, "!! NOT TESTED, %d times: %s\n", r.reasons[why], strings.TrimPrefix(why, "NOT TESTED "))
	}
}
