// Command grown measures what a service costs that has many entities: it writes
// projects of several sizes, as weave new begins them, and says for each what
// generating and building it takes, how soon it serves, and its memory at rest.
//
//	go run ./internal/bench/grown -sizes 60,120,200
//
// Times are seconds of CPU, of all processes that take part, for others may use
// the machine meanwhile; only a start is a time that passes. The common parts of
// projects (the kit, the libraries) are compiled before.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

func main() {
	log.SetFlags(0)
	sizes := flag.String("sizes", "60,120,200", "how many `entities` the projects have")
	source := flag.String("source", ".", "the `folder` of entwine")
	flag.Parse()
	entwine, err := filepath.Abs(*source)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("| Entities | generate, CPU-s | build, CPU-s | lines generated | program, MB | first start, s | next start, s | of CPU | at rest, MB |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|")
	for size := range strings.SplitSeq(*sizes, ",") {
		n, err := strconv.Atoi(size)
		if err != nil {
			log.Fatal(err)
		}
		if err := measure(os.Stdout, entwine, n); err != nil {
			log.Fatalf("%d entities: %v", n, err)
		}
	}
}

// measure writes a row of the table.
func measure(w io.Writer, entwine string, n int) (err error) {
	dir, err := os.MkdirTemp("", "grown-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	p := project{dir: dir}
	if _, err := p.run("go", "build", "-C", entwine, "-o", filepath.Join(dir, "weave"), "./cmd/weave"); err != nil {
		return err
	}
	// Another path has nothing of an earlier one in the build cache.
	if _, err := p.run(filepath.Join(dir, "weave"), "new", fmt.Sprintf("example.com/%s/notes", filepath.Base(dir)), "--replace", entwine, "--root", dir); err != nil {
		return err
	}
	p.dir = filepath.Join(dir, "notes")
	for i := 1; i < n; i++ { // notes and users are two, and the jobs are shown, too
		if err := p.write(fmt.Sprintf("schema/thing%d.go", i), thing(i, n-1)); err != nil {
			return err
		}
	}
	generate, err := p.run(filepath.Join(dir, "weave"), "generate")
	if err != nil {
		return err
	}
	for _, args := range [][]string{{"go", "mod", "tidy"}, {filepath.Join(dir, "weave"), "migrate", "diff", "first"}} {
		if _, err := p.run(args[0], args[1:]...); err != nil {
			return err
		}
	}
	if err := p.warm(); err != nil {
		return err
	}
	build, err := p.run("go", "build", "-ldflags", "-s -w", "-o", "bin/notes", "./cmd/notes")
	if err != nil {
		return err
	}
	lines, size, err := p.measures()
	if err != nil {
		return err
	}
	first, err := p.start(false)
	if err != nil {
		return err
	}
	next, err := p.start(true)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "| %d | %.1f | %.1f | %d | %.0f | %.2f | %.2f | %.2f | %.0f |\n",
		n+1, generate.Seconds(), build.Seconds(), lines, float64(size)/1e6, first.wall.Seconds(), next.wall.Seconds(), next.cpu.Seconds(), float64(next.resident)/1e6)
	return err
}
