package events

import (
	"cmp"
	"slices"
)

// window selects the events that a tailer reads next: those that were not committed
// at one moment, and are at a later one. Each statement sees one such moment, so an
// event is in exactly one window, however long its transaction took, and no
// transaction that runs keeps the events of others from being read.
type window struct {
	from snapshot  // what was committed by then has been read
	to   *snapshot // where the window ends: with the next statement if nil
	at   place     // what the window has up to here has been read
}

// page is how many events a tailer reads at once.
const page = 1000

// pending are the transactions that were running at the beginning of the window, and
// are not at its end: those that may have events that were not read.
func (w *window) pending() (xids []int64) {
	for _, xid := range w.from.running {
		if xid >= w.at.xid && (w.to == nil || !slices.Contains(w.to.running, xid)) {
			xids = append(xids, xid)
		}
	}
	return xids
}

// begun is the place after which events of transactions are that have begun in the
// window, and were not read.
func (w *window) begun() place {
	if w.at.xid < w.from.xmax {
		return place{xid: w.from.xmax, id: -1}
	}
	return w.at
}

// read says that a statement that saw the moment has found the events, of which it was
// asked for as many as a page has. It reports whether the window has more, and puts the
// events in the order in which they are handed out.
func (w *window) read(now snapshot, found []Event, page int) (more bool) {
	whole := w.to == nil
	if whole {
		w.to = &now
	}
	if len(found) >= page {
		w.at = found[len(found)-1].place
		return true
	}
	if whole {
		inOrderOfCommit(found)
	}
	*w = window{from: *w.to}
	return false
}

// inOrderOfCommit sorts the events of transactions that were committed between two
// looks. A transaction that could see another's event has written its own last event
// later, with a larger id.
func inOrderOfCommit(found []Event) {
	last := make(map[int64]int64)
	for i := range found {
		last[found[i].place.xid] = max(last[found[i].place.xid], found[i].place.id)
	}
	slices.SortFunc(found, func(a, b Event) int {
		return cmp.Or(cmp.Compare(last[a.place.xid], last[b.place.xid]), cmp.Compare(a.place.id, b.place.id))
	})
}
