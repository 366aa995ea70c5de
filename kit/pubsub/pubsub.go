// Package pubsub wakes those who wait for something to happen, in this
// process and in others.
//
// A wake-up carries nothing but its topic: who is woken looks in the database
// for what there is. So wake-ups may be merged and repeated, and one that is
// lost costs time and nothing else: subscribers poll
// anyway. [Memory] wakes within one process, [Redis] every process that
// shares a Redis.
package pubsub

import "sync"

// Bus carries wake-ups. It is safe for concurrent use.
type Bus interface {
	// Wake wakes those who listen to the topic. It never waits, and while
	// Redis is away it wakes this process only.
	Wake(topic string)
	// Listen returns a channel that receives after each Wake of the topic, and
	// whenever one may have been missed. Wake-ups that are not received yet
	// are merged into one. stop ends the listening.
	Listen(topic string) (woken <-chan struct{}, stop func())
	// Close ends the bus. From then on there are no wake-ups.
	Close() error
}

// Memory wakes within this process. The zero value is ready.
type Memory struct {
	mu        sync.Mutex
	listeners map[string]map[chan struct{}]struct{}
}

// Wake wakes those who listen to the topic.
func (m *Memory) Wake(topic string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.wake(topic)
}

// Listen returns a channel that receives after each Wake of the topic.
func (m *Memory) Listen(topic string) (woken <-chan struct{}, stop func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.listeners == nil {
		m.listeners = make(map[string]map[chan struct{}]struct{})
	}
	if m.listeners[topic] == nil {
		m.listeners[topic] = make(map[chan struct{}]struct{})
	}
	c := make(chan struct{}, 1)
	m.listeners[topic][c] = struct{}{}
	return c, func() { m.remove(topic, c) }
}

// Close forgets the listeners.
func (m *Memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.listeners = nil
	return nil
}

func (m *Memory) remove(topic string, c chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.listeners[topic], c)
	if len(m.listeners[topic]) == 0 {
		delete(m.listeners, topic)
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
	for c := range m.listeners[topic] {
		select {
		case c <- struct{}{}:
		default: // it has a wake-up waiting
		}
	}
}
