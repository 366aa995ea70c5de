// Package pubsub wakes waiting goroutines by topic, in this process and in others.
//
// A wake-up carries nothing but its topic: the woken process looks in the
// database. So wake-ups may be merged and repeated, and one that is lost costs
// time and nothing else: subscribers poll anyway. [Memory] wakes within one
// process, [Redis] every process that shares a Redis.
package pubsub

import (
	"container/list"
	"sync"
)

// Bus carries wake-ups. It is safe for concurrent use.
type Bus interface {
	// Wake wakes those who listen to the topic. It never waits, and while
	// Redis is away it wakes this process only.
	Wake(topic string)
	// Listen returns a channel that receives after each Wake of one of the topics,
	// and whenever one may have been missed. Wake-ups that are not received yet
	// are merged into one. Of those who listen to a topic the one that began first
	// is woken first. stop ends the listening.
	Listen(topics ...string) (woken <-chan struct{}, stop func())
	// Close ends the bus. From then on there are no wake-ups.
	Close() error
}

// Memory wakes within this process. The zero value is ready.
type Memory struct {
	mu        sync.Mutex
	listeners map[string]*list.List // of channels, in the order in which they came
}

// Wake wakes those who listen to the topic.
func (m *Memory) Wake(topic string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.wake(topic)
}

// Listen returns a channel that receives after each Wake of one of the topics.
func (m *Memory) Listen(topics ...string) (woken <-chan struct{}, stop func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.listeners == nil {
		m.listeners = make(map[string]*list.List)
	}
	c := make(chan struct{}, 1)
	places := make([]*list.Element, len(topics))
	for i, topic := range topics {
		if m.listeners[topic] == nil {
			m.listeners[topic] = list.New()
		}
		places[i] = m.listeners[topic].PushBack(c)
	}
	return c, func() { m.remove(topics, places) }
}

// Close forgets the listeners.
func (m *Memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.listeners = nil
	return nil
}

func (m *Memory) remove(topics []string, places []*list.Element) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, topic := range topics {
		all := m.listeners[topic]
		if all == nil {
			continue // it was stopped before, or the bus is closed
		}
		if all.Remove(places[i]); all.Len() == 0 { // removes nothing where it was stopped before
			delete(m.listeners, topic)
		}
	}
}

// wakeAll wakes every listener, whatever its topic.
func (m *Memory) wakeAll() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for topic := range m.listeners {
		m.wake(topic)
	}
}

func (m *Memory) wake(topic string) {
	all := m.listeners[topic]
	if all == nil {
		return
	}
	for place := all.Front(); place != nil; place = place.Next() {
		select {
		case place.Value.(chan struct{}) <- struct{}{}:
		default: // it has a wake-up waiting
		}
	}
}
