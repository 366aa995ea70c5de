// Command testreport reads what go test -json writes and says what matters:
// a line for each package, all of a test that failed, and at the end, loudly,
// what was not tested and why. A package that takes long is named when it begins,
// with its usual time, and every half minute what runs is listed.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"
)

func main() {
	write := flag.String("write", "", "write the times of this run to the `file`, as the usual ones")
	flag.Parse()
	r := newRun(os.Stdout, time.Now)
	ok, err := r.report(os.Stdin, time.Tick(30*time.Second))
	if err == nil && ok && *write != "" {
		err = os.WriteFile(*write, r.times(), 0o644)
	}
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

// run has the events so far.
type run struct {
	to                    io.Writer
	now                   func() time.Time
	begun                 map[string]*progress        // of packages that run, by their paths
	took                  map[string]float64          // the seconds of those that passed
	output                map[string]*strings.Builder // of tests that have not ended, by package and name
	reasons               map[string]int              // why tests were skipped, and how many
	passed, failed, broke int
}

func newRun(to io.Writer, now func() time.Time) *run {
	return &run{
		to: to, now: now, begun: make(map[string]*progress), took: make(map[string]float64),
		output: make(map[string]*strings.Builder), reasons: make(map[string]int),
	}
}

// report reports whether all went well. At each tick it lists what runs.
func (r *run) report(from io.Reader, tick <-chan time.Time) (bool, error) {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 64<<20)
	read := make(chan []byte)
	go func() {
		defer close(read)
		for lines.Scan() {
			read <- slices.Clone(lines.Bytes())
		}
	}()
	for {
		select {
		case line, more := <-read:
			if !more {
				r.end()
				return r.failed == 0 && r.broke == 0 && r.passed > 0, lines.Err()
			}
			var e event
			if json.Unmarshal(line, &e) != nil { // not from a test
				fmt.Fprintf(r.to, "%s\n", line)
				continue
			}
			r.see(e)
		case <-tick:
			r.lists()
		}
	}
}

func (r *run) see(e event) {
	key := e.Package + " " + e.Test
	switch e.Action {
	case "start":
		r.packageBegins(e.Package)
	case "run":
		r.testBegins(e)
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
	delete(r.begun, e.Package)
	switch e.Action {
	case "pass":
		r.took[e.Package] = e.Elapsed
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
