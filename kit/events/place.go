package events

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// place names an event: its transaction and its id. On PostgreSQL ids are given
// before their transactions commit, so they alone are no order; xid is 0 on SQLite,
// whose one writer gives ids in the order of commits.
type place struct{ xid, id int64 }

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

// counted is how far the database had counted: it never counts back.
func (s snapshot) counted() int64 { return max(s.xmax, s.last) }

// onStandby is a standby's answer instead of a snapshot.
const onStandby = "standby"

var errStandby = errors.New("the server is a standby")

// parseSnapshot reads PostgreSQL's "xmin:xmax:xip,xip", and the one number of SQLite.
func parseSnapshot(text string) (s snapshot, err error) {
	if last, err := strconv.ParseInt(text, 10, 64); err == nil {
		return snapshot{last: last}, nil
	}
	if text == onStandby {
		return s, errStandby
	}
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
