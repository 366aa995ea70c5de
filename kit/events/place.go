package events

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// place is where an event is in the order of all. On PostgreSQL ids are
// given before their transactions commit, so they alone are no order; xid is
// 0 on SQLite, whose one writer gives ids in the order of commits.
type place struct{ xid, id int64 }

// counter is how far the database has counted at least that has an event at the place.
func (p place) counter() int64 {
	if p.xid != 0 {
		return p.xid
	}
	return p.id
}

// snapshot is which events were committed at a moment.
type snapshot struct {
	// Of PostgreSQL: transactions before xmin were over, those from xmax on
	// had not begun, and those in running were running.
	xmin, xmax int64
	running    []int64
	// Of SQLite: the last event.
	last int64
}

// had reports whether the event was committed at that moment.
func (s snapshot) had(p place) bool {
	if s.xmax == 0 {
		return p.id <= s.last
	}
	if p.xid < s.xmin {
		return true
	}
	return p.xid < s.xmax && !slices.Contains(s.running, p.xid)
}

// start is a place that no event is at, before all that were not committed.
func (s snapshot) start() place {
	if s.xmax == 0 {
		return place{id: s.last}
	}
	return place{xid: s.xmin, id: -1}
}

// parseSnapshot reads PostgreSQL's "xmin:xmax:xip,xip".
func parseSnapshot(text string) (s snapshot, err error) {
	parts := strings.Split(text, ":")
	if len(parts) != 3 {
		return s, fmt.Errorf("%q is not a snapshot", text)
	}
	numbers := []string{parts[0], parts[1]}
	if parts[2] != "" {
		numbers = append(numbers, strings.Split(parts[2], ",")...)
	}
	for i, number := range numbers {
		n, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			return s, fmt.Errorf("%q is not a snapshot: %w", text, err)
		}
		switch i {
		case 0:
			s.xmin = n
		case 1:
			s.xmax = n
		default:
			s.running = append(s.running, n)
		}
	}
	return s, nil
}
