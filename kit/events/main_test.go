package events_test

import (
	"context"
	"log/slog"
	"testing"

	"go.uber.org/goleak"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/kit/events"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/runtime/pubsub"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, // PostgreSQL is shared and outlives the tests
		goleak.IgnoreTopFunction("database/sql.(*DB).connectionOpener"),
		goleak.IgnoreAnyFunction("github.com/entwine-go/entwine/kit/kittest/pgserver.(*Server).run.func1"))
}

// kit is a process with a tailer, and a user who writes.
type kit struct {
	*testing.T
	db     *store.DB
	ctx    context.Context // of the system
	client *ent.Client
	bus    *pubsub.Memory
	tailer *events.Tailer
	author *ent.User
}

func each(t *testing.T, test func(k *kit)) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) { test(newKit(t, db)) })
}

func newKit(t *testing.T, db *store.DB) *kit {
	t.Helper()
	k := &kit{T: t, db: db, ctx: viewer.With(t.Context(), viewer.System()), client: store.Client(db), bus: new(pubsub.Memory)}
	db.OnWrite(func() { k.bus.Wake(events.Topic) })
	k.author = k.client.User.Create().SetName("Ada").SetEmail("ada@example.com").SaveX(k.ctx)
	k.tailer = k.tail()
	return k
}

func (k *kit) tail() *events.Tailer {
	t := events.NewTailer(k.db, k.bus, slog.New(slog.DiscardHandler))
	k.Cleanup(t.Close)
	return t
}

func (k *kit) subscribe(f events.Filter) *events.Subscription {
	k.Helper()
	s, err := k.tailer.Subscribe(k.ctx, f)
	if err != nil {
		k.Fatalf("Subscribe: %v", err)
	}
	k.Cleanup(s.Close)
	return s
}

// publish writes a post that everyone can read.
func (k *kit) publish(ctx context.Context) int64 {
	k.Helper()
	return int64(k.client.Post.Create().SetTitle("On Engines").SetContent("…").SetAuthorID(k.author.ID).SetPublished(true).SaveX(ctx).ID)
}

// want requires that the next event is about the row.
func (k *kit) want(s *events.Subscription, topic string, id int64) events.Event {
	k.Helper()
	e, err := s.Next(k.ctx)
	if err != nil || e.Topic != topic || e.EntityID != id {
		k.Fatalf("the next event is %s of %d (%v), want %s of %d", e.Topic, e.EntityID, err, topic, id)
	}
	return e
}

var posts = events.Filter{Topics: []string{"post.published"}}
