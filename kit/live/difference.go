package live

import (
	"slices"

	"github.com/entwine-go/entwine/kit/gid"
)

// Kind says what becomes of a row in a list.
type Kind string

// The kinds of steps.
const (
	Enter  Kind = "enter"  // the row is inserted at Index
	Change Kind = "change" // the row at Index is another
	Leave  Kind = "leave"  // the row at Index is removed
	Move   Kind = "move"   // the row at From is removed there, and inserted at Index
)

// Step is one thing that is done to a list.
type Step struct {
	Kind Kind
	ID   gid.ID
	// Index is where the row is in the list then, From where one that moves was.
	Index, From int
	// Row is the row of now, nil for one that leaves.
	Row *Row
	// Was is the row as the follower has it, nil where only its hash is known.
	Was *Row
}

// difference returns the steps from the held rows to those of the window.
func difference(held, window []*Row) (steps []Step) {
	if len(held) == len(window) && slices.Equal(held, window) {
		return nil
	}
	at := make(map[gid.ID]int, len(window)) // where the rows are to be
	for i, row := range window {
		at[row.ID] = i
	}
	now := slices.Clone(held)
	for i, row := range slices.Backward(now) {
		if _, stays := at[row.ID]; !stays {
			steps = append(steps, Step{Kind: Leave, ID: row.ID, Index: i})
			now = slices.Delete(now, i, i+1)
		}
	}
	stay := staying(now, at)
	was := make(map[gid.ID]*Row, len(now))
	for _, row := range now {
		was[row.ID] = row
	}
	before := -1 // where the row before is now
	for _, row := range window {
		old, known := was[row.ID]
		switch {
		case !known:
			before++
			now = slices.Insert(now, before, row)
			steps = append(steps, Step{Kind: Enter, ID: row.ID, Index: before, Row: row})
			continue
		case stay[row.ID]:
			before = placeOf(now, row.ID)
		default:
			from := placeOf(now, row.ID)
			if now = slices.Delete(now, from, from+1); from > before {
				before++
			}
			now = slices.Insert(now, before, old)
			steps = append(steps, Step{Kind: Move, ID: row.ID, Index: before, From: from, Row: row})
		}
		if s, differs := change(old, row); differs {
			s.Index = before
			steps = append(steps, s)
		}
	}
	return steps
}

// change returns the step for a row that stays, if it is different. Of one that a
// follower has from before only the hash is known.
func change(old, row *Row) (s Step, differs bool) {
	s = Step{Kind: Change, ID: row.ID, Row: row}
	if old.Views == nil {
		return s, old.hash != row.hash
	}
	s.Was = old
	return s, old != row && !alike(&old.Row, &row.Row)
}

func placeOf(rows []*Row, id gid.ID) int {
	return slices.IndexFunc(rows, func(r *Row) bool { return r.ID == id })
}

// staying are the most rows that are in the same order in the window, a longest
// increasing subsequence of their places in it: the others move.
func staying(rows []*Row, at map[gid.ID]int) map[gid.ID]bool {
	best, last := make([]int, len(rows)), make([]int, len(rows))
	end := -1
	for i := range rows {
		best[i], last[i] = 1, -1
		for j := range i {
			if at[rows[j].ID] < at[rows[i].ID] && best[j] >= best[i] {
				best[i], last[i] = best[j]+1, j
			}
		}
		if end < 0 || best[i] > best[end] {
			end = i
		}
	}
	stay := make(map[gid.ID]bool, len(rows))
	for ; end >= 0; end = last[end] {
		stay[rows[end].ID] = true
	}
	return stay
}
