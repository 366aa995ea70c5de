package pubsub

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	// prefix stands before the topic in the name of Redis's channel.
	prefix = "entwine:wake:"
	// pace is the least time between two messages of this process: a
	// thousand writes a second need no thousand messages.
	pace = 5 * time.Millisecond
	// patience bounds one message to a Redis that does not answer.
	patience = time.Second
)

// Redis wakes every process that shares a Redis.
type Redis struct {
	local  Memory
	client redis.UniversalClient
	in     *redis.PubSub
	log    *slog.Logger
	self   string // so that a process knows its own messages

	mu    sync.Mutex
	topic map[string]struct{} // messages still to be sent
	told  chan struct{}       // something was added to topic

	stop context.CancelFunc
	done sync.WaitGroup
}

// NewRedis returns a bus over the client, which stays the caller's. Redis
// may be away: the bus begins to reach others when it is back.
func NewRedis(client redis.UniversalClient, log *slog.Logger) *Redis {
	ctx, stop := context.WithCancel(context.Background())
	r := &Redis{
		client: client, in: client.PSubscribe(ctx, prefix+"*"), log: log, self: rand.Text(),
		topic: make(map[string]struct{}), told: make(chan struct{}, 1), stop: stop,
	}
	r.done.Add(2)
	go r.send(ctx)
	go r.receive()
	return r
}

// Tell wakes those who listen to the topics in every process that shares the
// Redis, and returns once that has heard: for a process that is about to end.
func Tell(ctx context.Context, client redis.UniversalClient, topics ...string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	self := rand.Text()
	for _, topic := range topics {
		if err := client.Publish(ctx, prefix+topic, self).Err(); err != nil {
			return fmt.Errorf("wake others: %w", err)
		}
	}
	return nil
}

// Wake wakes those who listen to the topic: here at once, elsewhere soon.
func (r *Redis) Wake(topic string) {
	r.local.Wake(topic)
	r.mu.Lock()
	r.topic[topic] = struct{}{}
	r.mu.Unlock()
	select {
	case r.told <- struct{}{}:
	default:
	}
}

// Listen returns a channel that receives after each Wake of one of the topics, and
// when the connection to Redis was made anew.
func (r *Redis) Listen(topics ...string) (woken <-chan struct{}, stop func()) {
	return r.local.Listen(topics...)
}

// Close ends the bus.
func (r *Redis) Close() error {
	r.stop()
	_ = r.in.Close() // fails where Redis is away, and has closed all the same
	r.done.Wait()
	return r.local.Close()
}

// send publishes to other processes until ctx ends, and then the messages that are
// still waiting, for a process that writes and ends.
func (r *Redis) send(ctx context.Context) {
	defer r.done.Done()
	defer func() { r.publish(context.WithoutCancel(ctx)) }()
	rest := time.NewTimer(0)
	defer rest.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.told:
		}
		select {
		case <-ctx.Done():
			return
		case <-rest.C:
		}
		r.publish(ctx)
		rest.Reset(pace)
	}
}

// publish sends one message for each topic. Wake-ups that can't be sent are
// dropped: subscribers poll, too.
func (r *Redis) publish(ctx context.Context) {
	r.mu.Lock()
	topics := r.topic
	r.topic = make(map[string]struct{})
	r.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for topic := range topics {
		if err := r.client.Publish(ctx, prefix+topic, r.self).Err(); err != nil && ctx.Err() == nil {
			r.log.DebugContext(ctx, "wake-up did not reach redis", "topic", topic, "err", err)
		}
	}
}

// receive passes on what others send, until the subscription is closed.
func (r *Redis) receive() {
	defer r.done.Done()
	for message := range r.in.ChannelWithSubscriptions() {
		switch m := message.(type) {
		case *redis.Subscription:
			// Wake-ups that were sent before this connection have been missed.
			r.local.wakeAll()
		case *redis.Message:
			if m.Payload != r.self {
				r.local.Wake(strings.TrimPrefix(m.Channel, prefix))
			}
		}
	}
}
