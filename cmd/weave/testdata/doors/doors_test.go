package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

var (
	writes = flag.Int("writes", 400, "how many writes are made")
	seed   = flag.Uint64("seed", 1, "what the writes follow from")
)

// The same step is taken by another door in each of four databases: they have the rows
// after it that a model of them has, with its versions, counts, forms, events and changes,
// and refuse what it refuses.
func TestEveryDoorWritesTheSame(t *testing.T) {
	var worlds []*world
	for i := range 2 {
		worlds = append(worlds, serve(t, fmt.Sprint("sqlite ", i), storetest.Schema{}.SQLiteURL(t)), serve(t, fmt.Sprint("postgres ", i), storetest.Schema{}.PostgresURL(t)))
	}
	names := sorted(doors)
	m := newModel()
	a := &author{Rand: rand.New(rand.NewPCG(*seed, 0)), model: m}
	done, refused, taken := map[string]int{}, 0, map[string]int{}
	for n := 0; n < *writes; n += len(worlds) {
		s := a.next()
		for !m.changed(s) {
			s = a.next()
		}
		ops := make([]op, len(worlds))
		for i, w := range worlds {
			ops[i] = w.resolved(s)
		}
		var says []string
		ok, statuses := m.take(s), map[int]bool{}
		for i, w := range worlds {
			door := a.one(names)
			taken[door]++
			got := doors[door](w, s.who, ops[i])
			says = append(says, fmt.Sprintf("%s by %s: %+v", w.name, door, got))
			if got.ok != ok || got.status >= 500 || strings.Contains(got.says, "INTERNAL") {
				t.Fatalf("write %d, seed %d: %s does %+v, which is to be taken (%t), and\n%s", n, *seed, s.who, s, ok, strings.Join(says, "\n"))
			}
			if got.status >= 300 {
				statuses[got.status] = true
			}
		}
		if len(statuses) > 1 {
			t.Fatalf("write %d, seed %d: %s does %+v, and the refusals differ:\n%s", n, *seed, s.who, s, strings.Join(says, "\n"))
		}
		done[s.Do]++
		if !ok {
			refused++
		}
		want := m.dump()
		for _, w := range worlds {
			if got := w.dump(); !slices.Equal(want, got) {
				t.Fatalf("write %d, seed %d: %s does %+v, and after\n%s\n%s differs from the model:\n%s", n, *seed, s.who, s, strings.Join(says, "\n"), w.name, differences(want, got))
			}
		}
		if n%40 == 0 {
			word := a.one([]string{"red", "oak", "pal", "fi"})
			for _, w := range worlds {
				if want, got := m.finds(word), w.finds("Root", word); got != want {
					t.Fatalf("write %d, seed %d: a search for %s in %s finds %q, want %q", n, *seed, word, w.name, got, want)
				}
			}
		}
	}
	t.Logf("%d refused; %v; %v", refused, done, taken)
}

func differences(a, b []string) string {
	var all []string
	for _, line := range a {
		if !slices.Contains(b, line) {
			all = append(all, "- "+line)
		}
	}
	for _, line := range b {
		if !slices.Contains(a, line) {
			all = append(all, "+ "+line)
		}
	}
	return strings.Join(all, "\n")
}
