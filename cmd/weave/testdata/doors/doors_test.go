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

// The same step is taken by another door in each of four databases: they have the same
// rows after it, with the same versions, counts, forms and events.
func TestEveryDoorWritesTheSame(t *testing.T) {
	var worlds []*world
	for i := range 2 {
		worlds = append(worlds, serve(t, fmt.Sprint("sqlite ", i), storetest.Schema{}.SQLiteURL(t)), serve(t, fmt.Sprint("postgres ", i), storetest.Schema{}.PostgresURL(t)))
	}
	var names []string
	for name := range doors {
		names = append(names, name)
	}
	slices.Sort(names)
	a := &author{Rand: rand.New(rand.NewPCG(*seed, 0))}
	done, refused, taken := map[string]int{}, 0, map[string]int{}
	for n := 0; n < *writes; n += len(worlds) {
		a.read(worlds[0])
		s := a.next()
		for !worlds[0].changes(s) {
			s = a.next()
		}
		var says []string
		var all []outcome
		for _, w := range worlds {
			door := a.one(names)
			taken[door]++
			got := doors[door](w, s.who, w.resolved(s))
			all = append(all, got)
			says = append(says, fmt.Sprintf("%s by %s: %+v", w.name, door, got))
		}
		done[s.Do]++
		if !all[0].ok {
			refused++
		}
		for _, got := range all {
			if got.ok != all[0].ok || got.status >= 500 || strings.Contains(got.says, "INTERNAL") {
				t.Fatalf("write %d, seed %d: %s does %+v, and\n%s", n, *seed, s.who, s, strings.Join(says, "\n"))
			}
			for _, other := range all {
				if got.status != other.status && got.status >= 300 && other.status >= 300 {
					t.Fatalf("write %d, seed %d: %s does %+v, and the refusals differ:\n%s", n, *seed, s.who, s, strings.Join(says, "\n"))
				}
			}
		}
		first := worlds[0].dump()
		if testing.Verbose() {
			t.Logf("%s %+v", strings.Join(says, "; "), s)
			for _, w := range worlds {
				t.Log(w.name, w.lines(dumped[5]))
			}
		}
		for _, w := range worlds[1:] {
			if other := w.dump(); !slices.Equal(first, other) {
				t.Fatalf("write %d, seed %d: %s does %+v, and after\n%s\nthese differ:\n%s", n, *seed, s.who, s, strings.Join(says, "\n"), differences(first, other))
			}
		}
		if n%40 == 0 {
			for _, w := range worlds {
				if broken := w.broken(); len(broken) > 0 {
					t.Fatalf("write %d, seed %d, %s: after %+v these do not follow from the rows: %q", n, *seed, w.name, s, broken)
				}
			}
			word := a.one([]string{"red", "oak", "pal", "fi"})
			for _, w := range worlds[1:] {
				if one, other := worlds[0].finds("Root", word), w.finds("Root", word); one != other {
					t.Fatalf("write %d, seed %d: a search for %s finds %q in %s and %q in %s", n, *seed, word, one, worlds[0].name, other, w.name)
				}
			}
		}
	}
	t.Logf("%d refused; %v; %v", refused, done, taken)
}

// changes reports whether the step changes something: by an API what a row has already
// is not written, and Ent's client writes it all the same.
func (w *world) changes(s step) bool {
	w.Helper()
	has := func(format string, args ...any) bool { return len(w.lines(fmt.Sprintf(format, args...))) > 0 }
	switch s.Do {
	case "rename":
		return !has(`SELECT 1 FROM boxes WHERE tag = '%s' AND name = '%s'`, s.box, s.Name)
	case "note":
		return !has(`SELECT 1 FROM boxes WHERE tag = '%s' AND COALESCE(note, '') = '%s'`, s.box, strings.TrimSpace(s.Note))
	case "seal":
		return !has(`SELECT 1 FROM boxes WHERE tag = '%s' AND secret = 'sealed:%s' AND shout = '%s' AND box_code = '%s'`, s.box, s.Secret, strings.ToUpper(s.Shout), s.Code)
	case "weigh":
		return !has(`SELECT 1 FROM items WHERE tag = '%s' AND weight = %d AND fragile = (1 = %d)`, s.item, s.Weight, map[bool]int{true: 1}[s.Fragile])
	case "move":
		return !has(`SELECT 1 FROM items i JOIN boxes b ON b.id = i.box_id WHERE i.tag = '%s' AND b.tag = '%s'`, s.item, s.to)
	case "retally":
		tag, kind, _ := strings.Cut(s.tally, " ")
		return !has(`SELECT 1 FROM tallies t JOIN boxes b ON b.id = t.box_id WHERE b.tag = '%s' AND t.kind = '%s' AND t.quantity = %d`, tag, kind, s.Weight)
	case "labels":
		slices.Sort(s.labels)
		return !slices.Equal(s.labels, w.lines(`SELECT l.tag FROM item_labels il JOIN items i ON i.id = il.item_id JOIN labels l ON l.id = il.label_id WHERE i.tag = '`+s.item+`' ORDER BY l.tag`))
	case "items":
		slices.Sort(s.things)
		return !slices.Equal(s.things, w.lines(`SELECT i.tag FROM item_labels il JOIN items i ON i.id = il.item_id JOIN labels l ON l.id = il.label_id WHERE l.tag = '`+s.labels[0]+`' ORDER BY i.tag`))
	}
	return true
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
