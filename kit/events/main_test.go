package events_test

import (
	"context"
	"log/slog"
	"testing"

	"go.uber.org/goleak"

	"github.com/entwine-go/entwine/kit/events"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/internal/notes"
	"github.com/entwine-go/entwine/kit/pubsub"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, // PostgreSQL is shared and outlives the tests
		goleak.IgnoreTopFunction("database/sql.(*DB).connectionOpener"),
		goleak.IgnoreAnyFunction("github.com/entwine-go/entwine/kit/pgserver.(*Server).run.func1"))
}

// kit is a process with a tailer, and a user who writes.
type kit struct {
	*testing.T
	db     *store.DB
	ctx    context.Context // of the system
	bus    *pubsub.Memory
	tailer *events.Tailer
	author int64
}

func each(t *testing.T, test func(k *kit)) {
	t.Parallel()
	notes.Each(t, func(t *testing.T, db *store.DB) { test(newKit(t, db)) })
}

func newKit(t *testing.T, db *store.DB) *kit {
	t.Helper()
	k := &kit{T: t, db: db, ctx: viewer.With(t.Context(), viewer.System()), bus: new(pubsub.Memory)}
	db.OnWrite(func() { k.bus.Wake(events.Topic) })
	k.author = k.must(notes.User(k.ctx, db, "Ada"))
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

// must returns the id of a row that could be written.
func (k *kit) must(id int64, err error) int64 {
	k.Helper()
	if err != nil {
		k.Fatal(err)
	}
	return id
}

// publish writes a note.
func (k *kit) publish(ctx context.Context) int64 {
	k.Helper()
	return k.must(notes.Note(ctx, k.db, k.author))
}

// remark writes a remark on a note.
func (k *kit) remark(note int64) int64 {
	k.Helper()
	return k.must(notes.Remark(k.ctx, k.db, note))
}

// want requires that the next event is about the row.
func (k *kit) want(s *events.Subscription, topic string, id int64) events.Event {
	k.Helper()
	e, err := s.Next(k.ctx)
	if err != nil || e.Topic != topic || e.EntityID != gid.Int(id) {
		k.Fatalf("the next event is %s of %v (%v), want %s of %d", e.Topic, e.EntityID, err, topic, id)
	}
	return e
}

// row is the key of what is about the row.
func row(number int64) *gid.ID {
	id := gid.Int(number)
	return &id
}

var written = events.Filter{Topics: []string{"note.written"}}
