package events

import (
	"maps"

	"github.com/entwine-go/entwine/kit/gid"
)

// audience is the subscriptions by what they select, so that an event costs what its
// subscribers cost, and nothing for those of others.
type audience struct {
	all   map[*Subscription]struct{}
	every map[string]map[*Subscription]struct{} // by topic: those that select all keys
	keyed map[topicKey]map[*Subscription]struct{}
}

type topicKey struct {
	topic string
	key   gid.ID
}

func newAudience() *audience {
	return &audience{
		all:   make(map[*Subscription]struct{}),
		every: make(map[string]map[*Subscription]struct{}),
		keyed: make(map[topicKey]map[*Subscription]struct{}),
	}
}

func (a *audience) add(s *Subscription) {
	a.all[s] = struct{}{}
	for _, topic := range s.filter.Topics {
		if s.filter.Key == nil {
			enter(a.every, topic, s)
		} else {
			enter(a.keyed, topicKey{topic, *s.filter.Key}, s)
		}
	}
}

func (a *audience) remove(s *Subscription) {
	delete(a.all, s)
	for _, topic := range s.filter.Topics {
		if s.filter.Key == nil {
			leave(a.every, topic, s)
		} else {
			leave(a.keyed, topicKey{topic, *s.filter.Key}, s)
		}
	}
}

// of gives those that select the event to visit, each once.
func (a *audience) of(e *Event, visit func(*Subscription)) {
	for s := range a.every[e.Topic] {
		visit(s)
	}
	for s := range a.keyed[topicKey{e.Topic, e.Key}] {
		visit(s)
	}
}

// clear removes all, and returns them.
func (a *audience) clear() map[*Subscription]struct{} {
	all := maps.Clone(a.all)
	clear(a.all)
	clear(a.every)
	clear(a.keyed)
	return all
}

func enter[K comparable](in map[K]map[*Subscription]struct{}, k K, s *Subscription) {
	if in[k] == nil {
		in[k] = make(map[*Subscription]struct{})
	}
	in[k][s] = struct{}{}
}

func leave[K comparable](in map[K]map[*Subscription]struct{}, k K, s *Subscription) {
	delete(in[k], s)
	if len(in[k]) == 0 {
		delete(in, k)
	}
}
