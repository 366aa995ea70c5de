package bench

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"
)

// programs are the measured programs, by name, once they are built.
var programs = map[string]string{}

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "entwine-bench-")
	if err != nil {
		panic(err)
	}
	programs["entwine"], programs["floor"] = filepath.Join(dir, "entwine"), filepath.Join(dir, "floor")
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// build compiles the program of a folder once, and returns its file. The
// floor is a module of its own.
func build(b testing.TB, name, dir string) string {
	b.Helper()
	file := programs[name]
	if _, err := os.Stat(file); err == nil {
		return file
	}
	cmd := exec.Command("go", "build", "-o", file, ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("go build in %s: %v\n%s", dir, err, out)
	}
	return file
}

func run(b testing.TB, env []string, name string, args ...string) string {
	b.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), env...)
	var log bytes.Buffer
	cmd.Stderr = &log
	out, err := cmd.Output()
	if err != nil {
		b.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, log.String())
	}
	return strings.TrimSpace(string(out))
}

// BenchmarkRequests prints what each scenario costs in multiples of the floor.
func BenchmarkRequests(b *testing.B) {
	table := &bytes.Buffer{}
	out := tabwriter.NewWriter(table, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "\tdatabase\tfloor µs\tREST\taim\tGraphQL\taim\t")
	for _, name := range []string{"postgres", "sqlite3"} {
		b.Run(name, func(b *testing.B) {
			w := newWorld(b, name)
			for _, s := range w.scenarios(b) {
				w.compare(b, s, out)
			}
		})
	}
	_ = out.Flush()
	// Not b.Log: a benchmark without a figure of its own shows no log.
	fmt.Printf("\nwhole-request CPU in multiples of the floor\n%s\n", table)
}

// compare measures the floor of a scenario and both APIs, and adds a row for
// each floor to the table.
func (w *world) compare(b *testing.B, s scenario, table *tabwriter.Writer) {
	var floor, bare, rest, gql float64
	b.Run(s.name, func(b *testing.B) {
		if s.alike {
			same(b, w.floor.fetch(b, s.floor), w.entwine.fetch(b, *s.rest))
		}
		all := []*asked{w.floor.asked("floor", &s.floor), w.floor.asked("bare", s.bare), w.entwine.asked("rest", s.rest), w.entwine.asked("graphql", s.gql)}
		measure(b, all)
		floor, bare, rest, gql = all[0].cost(), all[1].cost(), all[2].cost(), all[3].cost()
		b.ReportMetric(0, "ns/op") // of all of them together, which says nothing
		for _, a := range all {
			if a.call == nil {
				continue
			}
			b.ReportMetric(a.cost(), a.name+"-µs/op")
			if w.floor.database != 0 {
				b.ReportMetric(median(a.stored), a.name+"-db-µs/op")
			}
			if a != all[0] {
				b.ReportMetric(a.cost()/floor, a.name+"-floors/op")
			}
		}
	})
	row := func(name string, floor float64, aim aim) {
		if floor > 0 {
			fmt.Fprintf(table, "%s\t%s\t%.0f\t%s\t%s\t%s\t%s\t\n", name, w.dialect, floor,
				figure(rest/floor), figure(aim.rest), figure(gql/floor), figure(aim.gql))
		}
	}
	row(s.name, floor, s.aims[w.dialect])
	row(s.name+", bare floor", bare, s.bareAims[w.dialect])
}

func figure(f float64) string {
	if f > 0 && f < 1e9 {
		return strconv.FormatFloat(f, 'f', 2, 64)
	}
	return "-"
}
