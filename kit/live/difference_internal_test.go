package live

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/read"
)

// row is a row with an id that shows the text.
func row(id int64, text string) *Row {
	views := []read.View{{JSON: []byte(text)}}
	return &Row{Row: read.Row{ID: gid.Int(id), Views: views}, hash: hashOf(views)}
}

// done is the list of a follower who has applied the steps.
func done(t *testing.T, rows []*Row, steps []Step) []*Row {
	t.Helper()
	rows = slices.Clone(rows)
	for _, s := range steps {
		at := s.Index
		if s.Kind == Move {
			at = s.From
		}
		if s.Kind != Enter && rows[at].ID != s.ID {
			t.Fatalf("%v of %v", s, rows)
		}
		switch s.Kind {
		case Enter:
			rows = slices.Insert(rows, at, s.Row)
		case Leave:
			rows = slices.Delete(rows, at, at+1)
		case Move:
			moved := rows[at]
			rows = slices.Insert(slices.Delete(rows, at, at+1), s.Index, moved)
		case Change:
			rows[at] = s.Row
		}
	}
	return rows
}

func shown(rows []*Row) string {
	text := ""
	for _, r := range rows {
		text += fmt.Sprintf("%v=%s ", r.ID, r.Views[0].JSON)
	}
	return text
}

// The steps make of any list any other, and move no row that can stay.
func TestDifference(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	window := func() (rows []*Row) {
		for _, id := range r.Perm(12)[:r.IntN(12)] {
			rows = append(rows, row(int64(id+1), fmt.Sprint(r.IntN(2))))
		}
		return rows
	}
	for range 20_000 {
		a, b := window(), window()
		steps := difference(a, b)
		if got := shown(done(t, a, steps)); got != shown(b) {
			t.Fatalf("%v make %s\nof %s\nwant %s", steps, got, shown(a), shown(b))
		}
	}
	a := []*Row{row(1, "a"), row(2, "b"), row(3, "c"), row(4, "d")}
	b := []*Row{a[1], a[2], a[3], a[0]}
	if steps := difference(a, b); len(steps) != 1 || steps[0].Kind != Move || steps[0].From != 0 || steps[0].Index != 3 {
		t.Errorf("the first becomes the last: %+v", steps)
	}
}

// A position has the ids and the hashes, in their order, of one list and one caller.
func TestPosition(t *testing.T) {
	t.Parallel()
	rows := []*Row{row(7, "a"), row(1<<62, "b"), row(3, "c")}
	rows = append(rows, &Row{Row: read.Row{ID: gid.Text("é")}, hash: 5})
	here := place{[]byte("a key"), "posts", "7"}
	text := here.position(rows)
	back, ok := here.parse(text)
	if !ok || len(back) != len(rows) {
		t.Fatalf("%s has %v", text, back)
	}
	for i, r := range back {
		if r.ID != rows[i].ID || r.hash != rows[i].hash {
			t.Errorf("row %d is %v %x, want %v %x", i, r.ID, r.hash, rows[i].ID, rows[i].hash)
		}
	}
	if _, ok := here.parse(here.position(nil)); !ok {
		t.Error("an empty list has no position")
	}
	for i := range len(text) {
		for _, other := range []string{text[:i], text[:i] + "A" + text[i+1:], text[:i] + "_" + text[i+1:], text + text[:i]} {
			if _, ok := here.parse(other); ok && other != text {
				t.Errorf("%s is a position", other)
			}
		}
	}
	for _, there := range []place{{here.key, "comments", "7"}, {here.key, "posts", "8"}, {[]byte("another"), "posts", "7"}, {here.key, "posts7", ""}} {
		if _, ok := there.parse(text); ok {
			t.Errorf("it is one of %v", there)
		}
	}
}
