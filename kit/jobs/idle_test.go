package jobs_test

import (
	"context"
	"log/slog"
	"regexp"
	"strconv"
	"testing"

	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/pubsub"
	"github.com/entwine-go/entwine/kit/store"
)

// shared is a process with jobs whose Redis others have, too, and a bus on it.
func shared(t *testing.T, db *store.DB, redis *storetest.RedisServer) *kit {
	t.Helper()
	transport, err := jobs.Dial(redis.URL)
	if err != nil {
		t.Fatal(err)
	}
	k := newKit(t, db, transport)
	bus := pubsub.NewRedis(transport.Client, slog.New(slog.DiscardHandler))
	t.Cleanup(func() { _ = bus.Close() })
	k.client.Bell.Bus = bus
	return k
}

var calls = regexp.MustCompile(`cmdstat_(\w+)[^:]*:calls=(\d+)`)

// commands is how many commands Redis was asked for, those of scripts included.
func (k *kit) commands() (n int) {
	k.Helper()
	text, err := k.transport.Client.Info(k.ctx, "commandstats").Result()
	if err != nil {
		k.Fatal(err)
	}
	for _, call := range calls.FindAllStringSubmatch(text, -1) {
		if call[1] == "set" || call[1] == "get" || call[1] == "publish" || call[1] == "evalsha" {
			calls, err := strconv.Atoi(call[2])
			if err != nil {
				k.Fatal(err)
			}
			n += calls
		}
	}
	return n
}

// A process without work asks the database only by its sweeper, twice a second: polls wait
// to be woken.
func TestAPassThatFindsNothingIsTwoCommands(t *testing.T) {
	t.Parallel()
	tables(t).Each(t, func(t *testing.T, db *store.DB) {
		k := shared(t, db, storetest.Redis(t))
		k.sweep(0)
		before := k.commands()
		for range 10 {
			k.sweep(0)
		}
		if n := k.commands() - before; n != 20 {
			t.Errorf("ten passes made %d commands, want 20", n)
		}
	})
}

// A job that one process accepts is begun by another as soon as it is rung. If it
// waited for the next poll, these would take a quarter of an hour.
func TestAnotherProcessHearsOfAJobAtOnce(t *testing.T) {
	t.Parallel()
	redis := storetest.Redis(t)
	tables(t).Each(t, func(t *testing.T, db *store.DB) {
		if !db.Postgres() {
			t.Skip("SQLite is one process's")
		}
		here, there := shared(t, db, redis), shared(t, db, redis)
		done := make(chan int64)
		server, err := jobs.Start(jobs.ServerConfig{
			Transport: there.transport, Client: there.client, Log: discard,
			Runner: there.runner(func(ctx context.Context, j *jobs.Job[add]) error {
				err := there.adding(ctx, j)
				done <- j.ID
				return err
			}),
		})
		if err != nil {
			t.Fatal(err)
		}
		defer server.Stop(context.Background())
		for range 100 {
			want := here.enqueue(add{}, jobs.Options{})
			if id := <-done; id != want {
				t.Fatalf("job %d was done, want %d", id, want)
			}
		}
	})
}
