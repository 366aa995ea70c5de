package bench

import (
	"bytes"
	"flag"
	"fmt"
	"testing"
	"text/tabwriter"
	"time"
)

// scale is the part of the rows that TestScale seeds: tiny, small, tenth or full.
var scale = flag.String("scale", "", "measure over tiny, small, tenth or full tables: doc/operations/scale.md")

// part is the name of the only part that is measured: all of them if empty.
var part = flag.String("part", "", "measure reads, idles, orders, listens, deletes, lives, replicas or processes alone")

// scales are the sizes. Of the popular user there are as many followers, likes and comments
// as users.
var scales = map[string]struct {
	size
	orders, listeners int
}{
	"tiny":  {size{users: 1_000, posts: 2_000, comments: 10_000, products: 1_000}, 1_000, 100},
	"small": {size{users: 10_000, posts: 20_000, comments: 100_000, products: 1_000}, 100, 200},
	"tenth": {size{users: 100_000, posts: 200_000, comments: 1_000_000, products: 10_000}, 1_000, 1_000},
	"full":  {size{users: 1_000_000, posts: 2_000_000, comments: 10_000_000, products: 100_000}, 1_000, 10_000},
}

// figures are the measured values beside their aims, in the order of measurement.
type figures struct {
	out   *tabwriter.Writer
	table bytes.Buffer
}

// row adds a figure. The aim is empty where there is none.
func (f *figures) row(of, what, value, aim string) {
	if f.out == nil {
		f.out = tabwriter.NewWriter(&f.table, 0, 0, 2, ' ', 0)
		fmt.Fprintln(f.out, "of\twhat\tmeasured\taim")
	}
	fmt.Fprintf(f.out, "%s\t%s\t%s\t%s\n", of, what, value, aim)
}

func (f *figures) print(name string) {
	_ = f.out.Flush()
	fmt.Printf("\nscale %s\n%s\n", name, f.table.String())
}

// Figures of large tables beside their aims. No figure fails the test: what it asks for is
// that all of it can be measured.
func TestScale(t *testing.T) {
	if *scale == "" {
		t.Skip("it seeds large tables: make scale does it")
	}
	of, known := scales[*scale]
	if !known {
		t.Fatalf("-scale %s: tiny, small, tenth and full are allowed", *scale)
	}
	began, f := time.Now(), &figures{}
	w := newScaled(t, of.size)
	f.row("seeding", fmt.Sprintf("%d users, %d posts, %d comments", of.users, of.posts, of.comments), since(began), "")
	for _, one := range []struct {
		name    string
		measure func()
	}{
		{"reads", func() { w.reads(f) }},
		{"idles", func() { w.idles(f) }},
		{"orders", func() { w.orders(f, of.orders) }},
		{"listens", func() { w.listens(f, of.listeners) }},
		{"deletes", func() { w.deletes(f) }},
	} {
		if *part == "" || *part == one.name {
			one.measure()
		}
	}
	f.print(*scale)
}

// since is how long it took, in a form that tables can have.
func since(began time.Time) string { return time.Since(began).Round(time.Millisecond).String() }
