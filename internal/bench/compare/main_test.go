package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const older = `goos: linux
pkg: example.com/shop
BenchmarkGet-2   100   9000 ns/op   95.0 rest-µs/op   1.20 rest-floors/op   500 B/op   9 allocs/op
BenchmarkList-2       100   9000 ns/op   500 B/op   100 allocs/op
BenchmarkGone-2       100   9000 ns/op   500 B/op   100 allocs/op
`

func TestWhatFellBehindIsNamed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		now  string
		fell []string
	}{
		"nothing changed": {older, nil},
		"it is within the margin": {`pkg: example.com/shop
BenchmarkGet-16   100   99000 ns/op   950.0 rest-µs/op   1.31 rest-floors/op   500 B/op   90 allocs/op
BenchmarkList-16       100   99000 ns/op   5000 B/op   109 allocs/op
BenchmarkNew-16        100   99000 ns/op   5000 B/op   1000 allocs/op
`, nil},
		"the best of several runs counts": {`pkg: example.com/shop
BenchmarkGet-2   100   9000 ns/op   1.90 rest-floors/op
BenchmarkGet-2   100   9000 ns/op   1.25 rest-floors/op
`, nil},
		"both are dearer": {`pkg: example.com/shop
BenchmarkGet-2   100   9000 ns/op   95.0 rest-µs/op   1.40 rest-floors/op   500 B/op   9 allocs/op
BenchmarkList-2       100   9000 ns/op   500 B/op   150 allocs/op
`, []string{"example.com/shop BenchmarkGet: 1.2 -> 1.4 rest-floors/op", "example.com/shop BenchmarkList: 100 -> 150 allocs/op"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "baseline.txt")
			var out strings.Builder
			if err := run(strings.NewReader("noise\n"+older+"PASS\n"), &out, file, true, 0.1); err != nil {
				t.Fatal(err)
			}
			if text, _ := os.ReadFile(file); string(text) != older {
				t.Fatalf("the baseline is\n%s", text)
			}
			out.Reset()
			err := run(strings.NewReader(c.now), &out, file, false, 0.1)
			if (err != nil) != (len(c.fell) > 0) {
				t.Errorf("it ended with %v", err)
			}
			if !strings.HasPrefix(out.String(), c.now) {
				t.Errorf("the run is not passed on:\n%s", out.String())
			}
			for _, line := range c.fell {
				if !strings.Contains(out.String(), "  "+line+"\n") {
					t.Errorf("no line %q in\n%s", line, out.String())
				}
			}
		})
	}
}
