package presence

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/entwine-go/entwine/kit/problem"
)

// Store has the members of rows, each for [Life] after it was joined last.
type Store interface {
	// Join adds a member, or says that it is there still. A row with [Most] members
	// has no place for another.
	Join(ctx context.Context, row string, m *Member) error
	// Say sets the state of a member, which is the caller's: false where there is none.
	Say(ctx context.Context, row, id, who string, state json.RawMessage) (bool, error)
	// Leave takes a member away.
	Leave(ctx context.Context, row, id string) error
	// Members are those of a row, in any order.
	Members(ctx context.Context, row string) ([]Member, error)
}

// full refuses a member.
func full() error {
	return problem.New(problem.RateLimited, "%d look at this already: no more are shown", Most)
}

// Memory has the members of this process, which are there until they leave. The zero
// value is ready.
type Memory struct {
	mu   sync.Mutex
	rows map[string]map[string]Member
}

// Join implements [Store].
func (s *Memory) Join(_ context.Context, row string, m *Member) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.rows == nil {
		s.rows = map[string]map[string]Member{}
	}
	members := s.rows[row]
	if _, there := members[m.ID]; there {
		return nil
	}
	if len(members) >= Most {
		return full()
	}
	if members == nil {
		members = map[string]Member{}
		s.rows[row] = members
	}
	members[m.ID] = *m
	return nil
}

// Say implements [Store].
func (s *Memory) Say(_ context.Context, row, id, who string, state json.RawMessage) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, there := s.rows[row][id]
	if !there || m.who != who {
		return false, nil
	}
	m.State = state
	s.rows[row][id] = m
	return true, nil
}

// Leave implements [Store].
func (s *Memory) Leave(_ context.Context, row, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if delete(s.rows[row], id); len(s.rows[row]) == 0 {
		delete(s.rows, row)
	}
	return nil
}

// Members implements [Store].
func (s *Memory) Members(_ context.Context, row string) ([]Member, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]Member, 0, len(s.rows[row]))
	for _, m := range s.rows[row] {
		all = append(all, m)
	}
	return all, nil
}
