// Command compare says what has become dearer: it reads what `go test -bench`
// prints, passes it on, and compares it with an older run, the baseline.
//
//	go test -run '^$' -bench . -benchmem ./... | compare -baseline internal/bench/baseline.txt
//
// It looks at the figures that do not depend on the machine: multiples of the
// floor and allocations. For times on one machine there is benchstat, which
// reads the same files. With -write the run becomes the baseline.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
)

func main() {
	baseline := flag.String("baseline", "", "the file of the older run")
	write := flag.Bool("write", false, "write the run to the file")
	by := flag.Float64("by", 0.1, "the part by which a benchmark may cost more before it counts as slower")
	flag.Parse()
	if err := run(os.Stdin, os.Stdout, *baseline, *write, *by); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer, file string, write bool, by float64) error {
	var text strings.Builder
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		fmt.Fprintln(out, lines.Text())
		if kept(lines.Text()) {
			fmt.Fprintln(&text, lines.Text())
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	if write {
		return os.WriteFile(file, []byte(text.String()), 0o644)
	}
	before, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return compare(out, parse(string(before)), parse(text.String()), by)
}

// compare prints what fell behind, and is an error where something did.
func compare(out io.Writer, before, now figures, by float64) error {
	fell, compared := 0, 0
	for _, key := range slices.SortedFunc(maps.Keys(now), figure.compare) {
		old, ok := before[key]
		if !ok {
			continue
		}
		compared++
		if now[key] <= old*(1+by) {
			continue
		}
		if fell == 0 {
			fmt.Fprintf(out, "\nfell behind by more than %.0f%%:\n", by*100)
		}
		fell++
		fmt.Fprintf(out, "  %s %s: %.4g -> %.4g %s\n", key.pkg, key.name, old, now[key], key.unit)
	}
	fmt.Fprintf(out, "\n%d of %d figures of the baseline fell behind\n", fell, compared)
	if fell > 0 {
		return fmt.Errorf("%d figures fell behind", fell)
	}
	return nil
}
