package store

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Figure says how often a prepared statement was run, and how long that took
// in all. A read counts until its
// first row, or until its last where its rows are taken as they come: see [DB.EachSent].
type Figure struct {
	Text  string        `json:"text"`
	Calls int64         `json:"calls"`
	Took  time.Duration `json:"took_ns"`
}

// Figures count the statements that a process prepares, in bounded memory:
// where there are too many texts, the one that took least is forgotten. Texts
// hold no values but those that the schema declares. A nil Figures counts nothing.
type Figures struct {
	most int
	mu   sync.Mutex
	all  map[string]*figure
}

// figure has the counts of one text.
type figure struct{ calls, took atomic.Int64 }

// NewFigures returns figures of at most so many texts.
func NewFigures(most int) *Figures { return &Figures{most: most, all: map[string]*figure{}} }

// All returns what was counted, those that took longest first.
func (f *Figures) All() []Figure {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := make([]Figure, 0, len(f.all))
	for text, n := range f.all {
		all = append(all, Figure{Text: text, Calls: n.calls.Load(), Took: time.Duration(n.took.Load())})
	}
	slices.SortFunc(all, func(a, b Figure) int { return int(b.Took - a.Took) })
	return all
}

// of returns the figure of a text, which a cached statement keeps: counting a
// call then looks nothing up.
func (f *Figures) of(text string) *figure {
	if f == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	n := f.all[text]
	if n == nil {
		if len(f.all) >= f.most {
			f.forget()
		}
		n = new(figure)
		f.all[text] = n
	}
	return n
}

// forget makes room for a text.
func (f *Figures) forget() {
	var least string
	fewest := int64(-1)
	for text, n := range f.all {
		if took := n.took.Load(); fewest < 0 || took < fewest {
			least, fewest = text, took
		}
	}
	delete(f.all, least)
}

// add counts a call.
func (n *figure) add(began time.Time) {
	if n != nil {
		n.calls.Add(1)
		n.took.Add(int64(time.Since(began)))
	}
}
