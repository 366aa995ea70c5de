package web

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"
)

// The bounds of what is remembered of a part.
const (
	mostChanges  = 100
	mostAnswers  = 240
	answerPeriod = 15 * time.Second
)

// PartHistory is how a part has answered since the process began.
type PartHistory struct {
	Name   string `json:"name"`
	Needed bool   `json:"needed"`
	OK     bool   `json:"ok"`
	// Changes are when it became well or not, the newest last, at most 100 of them. The
	// first is its first answer, unless there were more.
	Changes []PartChange `json:"changes"`
	// Answers are the last ones, at most 240.
	Answers []PartAnswer `json:"answers"`
}

// PartChange is when a part became well, or was no longer.
type PartChange struct {
	At time.Time `json:"at"`
	OK bool      `json:"ok"`
}

// PartAnswer is the answer of a part, with its duration.
type PartAnswer struct {
	At     time.Time `json:"at"`
	OK     bool      `json:"ok"`
	TookUS int64     `json:"took_us"`
}

// history remembers what parts have answered, by their keys.
type history struct {
	mu    sync.Mutex
	parts map[string]*PartHistory
}

// note remembers an answer. One that took longer than [checkTime] is noted when it comes.
func (h *history) note(key, name string, needed bool, a PartAnswer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	p := h.parts[key]
	if p == nil {
		if h.parts == nil {
			h.parts = map[string]*PartHistory{}
		}
		p = &PartHistory{Name: name, Needed: needed}
		h.parts[key] = p
	}
	if len(p.Changes) == 0 || p.OK != a.OK {
		p.OK, p.Changes = a.OK, kept(append(p.Changes, PartChange{a.At, a.OK}), mostChanges)
	}
	p.Answers = kept(append(p.Answers, a), mostAnswers)
}

// kept drops the oldest where there are too many.
func kept[T any](all []T, most int) []T { return slices.Delete(all, 0, max(0, len(all)-most)) }

// History is how the parts have answered since the process began: those that it needs
// first, each by their names.
func (h *Health) History() []PartHistory {
	h.history.mu.Lock()
	defer h.history.mu.Unlock()
	all := make([]PartHistory, 0, len(h.history.parts))
	for _, p := range h.history.parts {
		one := *p
		one.Changes, one.Answers = slices.Clone(p.Changes), slices.Clone(p.Answers)
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b PartHistory) int {
		if a.Needed != b.Needed {
			return map[bool]int{true: -1, false: 1}[a.Needed]
		}
		return cmp.Compare(a.Name, b.Name)
	})
	return all
}

// Remember asks all parts now and then until ctx ends, so that there is a history where
// no one else asks.
func (h *Health) Remember(ctx context.Context) error {
	ticker := time.NewTicker(answerPeriod)
	defer ticker.Stop()
	for {
		h.Parts(ctx)
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}
