package pubsub_test

import (
	"log/slog"
	"testing"

	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/pubsub"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// each runs the test on both kinds of bus. open returns another end of the
// same bus: the same one in memory, another process's on Redis.
func each(t *testing.T, test func(t *testing.T, open func() pubsub.Bus)) {
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		bus := new(pubsub.Memory)
		t.Cleanup(func() { _ = bus.Close() })
		test(t, func() pubsub.Bus { return bus })
	})
	t.Run("redis", func(t *testing.T) {
		t.Parallel()
		server := storetest.Redis(t)
		test(t, func() pubsub.Bus { return end(t, server) })
	})
}

func end(t *testing.T, server *storetest.RedisServer) pubsub.Bus {
	t.Helper()
	options, err := redis.ParseURL(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(options)
	bus := pubsub.NewRedis(client, slog.New(slog.DiscardHandler))
	t.Cleanup(func() {
		if err := bus.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
		_ = client.Close()
	})
	return bus
}

// wait receives, or fails when the test runs out of time.
func wait(t *testing.T, what string, woken <-chan struct{}) {
	t.Helper()
	select {
	case <-woken:
	case <-t.Context().Done():
		t.Fatalf("%s: nothing was received", what)
	}
}

func TestWakeReachesEveryListenerOfTheTopic(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, open func() pubsub.Bus) {
		a, b := open(), open()
		near, stop := a.Listen("events")
		defer stop()
		far, stop := b.Listen("events")
		defer stop()
		again(t, a, near, far)
	})
}

// again wakes until all have received: a listener elsewhere may have
// received for being new, before the first wake-up.
func again(t *testing.T, bus pubsub.Bus, all ...<-chan struct{}) {
	t.Helper()
	for range 3 {
		bus.Wake("events")
		for _, woken := range all {
			wait(t, "events", woken)
		}
	}
}

func TestWakeUpsAreMerged(t *testing.T) {
	t.Parallel()
	bus := new(pubsub.Memory)
	woken, stop := bus.Listen("events")
	defer stop()
	other, stop := bus.Listen("jobs")
	defer stop()
	for range 100 {
		bus.Wake("events")
	}
	wait(t, "events", woken)
	select {
	case <-woken:
		t.Error("a second wake-up was received, want 100 merged into one")
	case <-other:
		t.Error("jobs were woken by events")
	default:
	}
}

func TestSeveralTopicsWakeOneListener(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, open func() pubsub.Bus) {
		bus := open()
		woken, stop := bus.Listen("jobs", "events", "files")
		defer stop()
		for _, topic := range []string{"files", "jobs", "events"} {
			bus.Wake(topic)
			wait(t, topic, woken)
		}
		bus.Wake("others")
		bus.Wake("jobs")
		stop()
		bus.Wake("events")
	})
}

// A later listener finds that the earlier ones have been woken.
func TestListenersAreWokenInTheirOrder(t *testing.T) {
	t.Parallel()
	bus := new(pubsub.Memory)
	var all []<-chan struct{}
	for range 100 {
		woken, stop := bus.Listen("viewers")
		defer stop()
		all = append(all, woken)
	}
	for range 100 {
		go bus.Wake("viewers")
		wait(t, "the last", all[len(all)-1])
		for i, woken := range all[:len(all)-1] {
			if len(woken) == 0 {
				t.Fatalf("listener %d was not woken when the last was", i)
			}
			<-woken
		}
	}
}

func TestNobodyIsWokenAfterStop(t *testing.T) {
	t.Parallel()
	bus := new(pubsub.Memory)
	woken, stop := bus.Listen("events")
	stop()
	stop() // twice does no harm
	bus.Wake("events")
	select {
	case <-woken:
		t.Error("a wake-up was received after stop")
	default:
	}
}

func TestRedisThatIsAwayIsMissedNoLongerThanItIs(t *testing.T) {
	t.Parallel()
	server := storetest.Redis(t)
	a, b := end(t, server), end(t, server)
	near, stop := a.Listen("events")
	defer stop()
	far, stop := b.Listen("events")
	defer stop()
	again(t, a, near, far)

	server.Stop()
	a.Wake("events")
	wait(t, "in the same process, without Redis", near)

	if err := server.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	wait(t, "elsewhere, because the wake-up was missed", far)
	again(t, a, far)
}
