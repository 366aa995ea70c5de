package jobs

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"github.com/entwine-go/entwine/kit/internal/redisurl"
)

// Transport is the Redis that carries doorbells: a server that processes
// share, or one inside this process. Its client answers soon, one way or the
// other, because requests wait for it.
type Transport struct {
	// Client is of those who ask it. It is not embedded: its hundreds of methods
	// would be compiled for this type, too.
	Client redis.UniversalClient
	// Patient is another client of the same Redis, for workers: it waits
	// before it tries a Redis again that is away.
	Patient redis.UniversalClient

	hangUp   func() error // closes Patient, once, where processes share the Redis
	doorbell *doorbell    // of Patient, where processes share the Redis
	embedded *miniredis.Miniredis
	still    func()         // ends the embedded Redis's clock
	clock    sync.WaitGroup // until it has ended
}

// Dial returns the Redis at the address ([redisurl.Open]). It need not
// answer now: every use handles that it is away.
func Dial(address string) (*Transport, error) {
	client, err := redisurl.Open(address, func(o *redis.Options) {
		bounded(o)
		o.MaxRetries = 1
	})
	if err != nil {
		return nil, fmt.Errorf("redis address: %w", err)
	}
	patient, err := redisurl.Open(address, func(o *redis.Options) {
		bounded(o)
		o.MaxRetries, o.MinRetryBackoff, o.MaxRetryBackoff = 5, 50*time.Millisecond, time.Second
	})
	if err != nil {
		return nil, errors.Join(err, client.Close())
	}
	t := &Transport{Client: client, Patient: patient, hangUp: sync.OnceValue(patient.Close), doorbell: new(doorbell)}
	t.Patient.AddHook(t.doorbell)
	return t, nil
}

// bounded has a Redis that hangs not hang its callers.
func bounded(o *redis.Options) {
	o.ContextTimeoutEnabled = true
	o.DialTimeout, o.ReadTimeout, o.DialerRetries = 2*time.Second, 3*time.Second, 1
}

// Embed returns a Redis inside this process, for asynq and nothing else. It
// opens no port.
func Embed() *Transport {
	m := miniredis.NewMiniRedis()
	client := redis.NewClient(&redis.Options{
		Addr:   "embedded",
		Dialer: func(context.Context, string, string) (net.Conn, error) { return m.Dial() },
		// Tasks are ids, and a dozen connections wait for them.
		ReadBufferSize: 4 << 10, WriteBufferSize: 4 << 10,
	})
	client.AddHook(&hearing{redis: m})
	ctx, still := context.WithCancel(context.Background())
	t := &Transport{Client: client, Patient: client, embedded: m, still: still}
	t.clock.Go(func() { t.age(ctx) })
	return t
}

// aging is how often the keys of an embedded Redis grow older. Those that
// asynq lets expire tell for how long they may be off: tens of seconds.
const aging = 5 * time.Second

// age lets keys expire, which an embedded Redis does not do by itself. It can
// look at its clock with each command, but goes through every key then: a
// thousand waiting jobs would make each command take a millisecond.
func (t *Transport) age(ctx context.Context) {
	tick := time.NewTicker(aging)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			t.embedded.FastForward(aging)
		}
	}
}

// Embedded reports whether the Redis is inside this process.
func (t *Transport) Embedded() bool { return t.embedded != nil }

// Close ends the connections, and the embedded Redis with its content.
func (t *Transport) Close() error {
	err := t.Client.Close()
	if t.embedded == nil {
		return errors.Join(err, t.hangUp())
	}
	t.still()
	t.clock.Wait()
	t.embedded.Close()
	return err
}
