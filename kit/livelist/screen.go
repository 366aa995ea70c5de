package livelist

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// screen is the rows that the events have made.
type screen[Row any] struct {
	more     func(State[Row]) bool
	stopped  bool // by whom the rows are for
	events   int
	position string

	members []map[string]json.RawMessage
	rows    []Row
	total   int64
	exact   bool
}

// event is an event of the service.
type event struct {
	id, name, data string
}

// said is the data of an event.
type said struct {
	Rows  []map[string]json.RawMessage
	Steps []struct {
		Kind        string
		Index, From int
		Row, Fields map[string]json.RawMessage
	}
	Total      *int64
	TotalExact *bool `json:"total_exact"`
	Exact      *bool `json:"totalExact"` // in version 2
}

// take does what the events of a stream say, until it ends.
func (s *screen[Row]) take(stream io.Reader, heard func()) error {
	lines := bufio.NewReader(stream)
	for e := (event{}); ; {
		line, err := lines.ReadString('\n')
		if err != nil {
			return nil //nolint:nilerr // it was cut
		}
		heard()
		switch name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": "); name {
		case "id":
			e.id = value
		case "event":
			e.name = value
		case "data":
			e.data = value
		case "":
			if err := s.heard(e); err != nil || s.stopped {
				return err
			}
			e = event{}
		}
	}
}

// heard does what an event says.
func (s *screen[Row]) heard(e event) error {
	if e.name != "page" && e.name != "steps" {
		return nil // such as the end of a sign-in: the next connection has another, or is refused
	}
	var of said
	if err := json.Unmarshal([]byte(e.data), &of); err != nil {
		return fmt.Errorf("follow a list: read an event: %w", err)
	}
	if e.name == "page" {
		s.members, s.rows = of.Rows, make([]Row, len(of.Rows))
		for i := range of.Rows {
			if err := s.show(i); err != nil {
				return err
			}
		}
	}
	for _, step := range of.Steps {
		at := step.Index
		switch step.Kind {
		case "enter":
			s.members, s.rows = slices.Insert(s.members, at, step.Row), slices.Insert(s.rows, at, *new(Row))
		case "leave":
			s.members, s.rows = slices.Delete(s.members, at, at+1), slices.Delete(s.rows, at, at+1)
			continue
		case "move":
			member, row := s.members[step.From], s.rows[step.From]
			s.members = slices.Insert(slices.Delete(s.members, step.From, step.From+1), at, member)
			s.rows = slices.Insert(slices.Delete(s.rows, step.From, step.From+1), at, row)
			continue
		case "change":
			if step.Row != nil {
				s.members[at] = step.Row
			}
			maps.Copy(s.members[at], step.Fields)
		}
		if err := s.show(at); err != nil {
			return err
		}
	}
	s.tell(e, &of)
	return nil
}

// show reads a row from its members.
func (s *screen[Row]) show(at int) error {
	text, err := json.Marshal(s.members[at])
	if err != nil {
		return fmt.Errorf("follow a list: %w", err)
	}
	s.rows[at] = *new(Row) // what is no longer shown is not kept
	if err := json.Unmarshal(text, &s.rows[at]); err != nil {
		return fmt.Errorf("follow a list: read a row: %w", err)
	}
	return nil
}

// tell yields the list where it is another.
func (s *screen[Row]) tell(e event, of *said) {
	total, exact := int64(-1), false
	if of.Total != nil {
		total, exact = *of.Total, (of.TotalExact == nil || *of.TotalExact) && (of.Exact == nil || *of.Exact)
	}
	same := s.events > 0 && e.name == "steps" && len(of.Steps) == 0 && total == s.total && exact == s.exact
	s.position, s.total, s.exact = e.id, total, exact
	if s.events++; !same {
		s.stopped = !s.more(State[Row]{slices.Clone(s.rows), total, exact})
	}
}
