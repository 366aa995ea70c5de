package events_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/events"
	"github.com/entwine-go/entwine/kit/internal/notes"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/pgserver"
	"github.com/entwine-go/entwine/kit/store"
)

// onServer is a kit on a PostgreSQL of its own.
func onServer(t *testing.T, server *pgserver.Server) *kit {
	t.Helper()
	db, err := store.Open(t.Context(), store.Config{URL: server.URL("postgres")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if err := notes.Schema(t).Up(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	return newKit(t, db)
}

// replaced requires that the subscription ends because the database is another one,
// and that one of now gets what is written.
func (k *kit) replaced(s *events.Subscription) {
	k.Helper()
	if e, err := s.Next(k.ctx); !errors.Is(err, events.ErrReplaced) {
		k.Fatalf("the next event is %s of %v (%v), want %v", e.Topic, e.EntityID, err, events.ErrReplaced)
	}
	again := k.subscribe(written)
	k.want(again, "note.written", k.publish(k.ctx))
	k.want(again, "note.written", k.publish(k.ctx))
	if f := k.tailer.Figures(); f.Replaced != 1 || k.db.Lineage() != 1 {
		k.Errorf("%d were ended, the lineage is %d; want 1 and 1", f.Replaced, k.db.Lineage())
	}
}

// The new primary has another timeline, also where it has counted further than the old
// one by the time it is asked.
func TestAfterAFailoverSubscriptionsEnd(t *testing.T) {
	t.Parallel()
	for name, lag := range map[string]int{"to a standby that lagged": 200, "to one that had it all": 0} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			primary := storetest.PostgresServer(t)
			if err := primary.Replicate(t.Context()); err != nil {
				t.Fatal(err)
			}
			k := onServer(t, primary)
			s := k.subscribe(written)
			k.want(s, "note.written", k.publish(k.ctx))
			standby, err := primary.Standby(t.Context(), folder(t))
			if err != nil {
				t.Fatal(err)
			}
			for range lag {
				k.want(s, "note.written", k.publish(k.ctx))
			}
			primary.Kill()
			if err := standby.Restart(t.Context()); err != nil {
				t.Fatal(err)
			}
			defer standby.Stop()
			if err := standby.Promote(t.Context()); err != nil {
				t.Fatal(err)
			}
			k.replaced(s)
			k.tailer.Close()
		})
	}
}

// folder is one that the user postgres can reach.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "entwine-standby-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func shell(t *testing.T, script string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), "sh", "-c", script).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", script, err, out)
	}
}

// A copy of the cluster's files has its timeline, and has counted less.
func TestAfterACopyOfTheClusterSubscriptionsEnd(t *testing.T) {
	t.Parallel()
	server := storetest.PostgresServer(t)
	k := onServer(t, server)
	data := filepath.Join(server.Dir, "data")
	server.Stop()
	shell(t, "cp -a "+data+" "+data+".copy")
	if err := server.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := k.subscribe(written)
	for range 20 {
		k.want(s, "note.written", k.publish(k.ctx))
	}
	server.Kill()
	shell(t, "rm -r "+data+" && mv "+data+".copy "+data)
	if err := server.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	k.replaced(s)
}

// A restore within the server or file leaves its identity, and it may have counted as
// far again: the event that was read last is not there.
func TestAfterARestoreOfTheTablesSubscriptionsEnd(t *testing.T) {
	each(t, func(k *kit) {
		s := k.subscribe(written)
		k.want(s, "note.written", k.publish(k.ctx))
		k.want(s, "note.written", k.publish(k.ctx))
		why := make(chan string, 1)
		k.db.OnReplaced(func(text string) { why <- text })
		err := k.db.InTx(k.ctx, func(ctx context.Context) error {
			_, err := k.db.ExecContext(ctx, "DELETE FROM events WHERE id = (SELECT max(id) FROM events)")
			for range 3 {
				k.publish(ctx)
			}
			return err
		})
		if err != nil {
			k.Fatal(err)
		}
		k.replaced(s)
		if text := <-why; !strings.Contains(text, "is not there") {
			k.Errorf("the reason is %q", text)
		}
	})
}
