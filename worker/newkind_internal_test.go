package worker

import (
	"context"
	"log/slog"
	"slices"
	"testing"

	"github.com/entwine-go/entwine/migrate/migratetest"

	"github.com/entwine-go/entwine/ent/migrate"
	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/pubsub"
	"github.com/entwine-go/entwine/kit/viewer"
)

// greeting is a kind of work that this file alone makes known: what it is
// about, how it is queued, and what is done.
type greeting struct {
	Name string `json:"name"`
}

func (greeting) Kind() string { return "greeting" }

func (greeting) Options() jobs.Options { return jobs.Options{Queue: jobs.Urgent, Attempts: 2} }

func init() {
	register(func(Deps) jobs.Kind {
		return jobs.Handle(jobs.HandlerFunc[greeting](func(_ context.Context, j *jobs.Job[greeting]) error {
			greeted <- j.Args.Name
			return nil
		}))
	})
}

var greeted = make(chan string, 1)

func TestANewKindIsOneFile(t *testing.T) {
	t.Parallel()
	db, transport, log := migratetest.Schema(t).SQLite(t), jobs.Embed(), slog.New(slog.DiscardHandler)
	t.Cleanup(func() { _ = transport.Close() })
	ctx, bus := viewer.With(t.Context(), viewer.System()), new(pubsub.Memory)
	client := &jobs.Client{DB: db, Bell: jobs.NewBell(transport), Bus: bus, Log: log}
	if _, err := client.Bell.Check(ctx); err != nil {
		t.Fatal(err)
	}
	s, err := jobs.Start(jobs.ServerConfig{Transport: transport, Runner: jobs.NewRunner(db, bus, log, Kinds(Deps{DB: db, Log: log})...), Client: client, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Enqueue(ctx, greeting{Name: "Ada"}, jobs.Options{}); err != nil {
		t.Fatal(err)
	}
	if name := <-greeted; name != "Ada" {
		t.Errorf("greeted %q", name)
	}
	s.Stop(ctx)
}

// Every entity with an end of its keeping is purged, or kept for a reason.
func TestWhatExpiresIsPurged(t *testing.T) {
	t.Parallel()
	kept := []string{
		"api_keys",     // who made a key stays known
		"orders",       // they expire, and stay
		"file_uploads", // the sweep of files removes them, with their parts
	}
	rests := append(Rests(), app.Rests()...)
	for _, table := range migrate.Tables {
		for _, c := range table.Columns {
			purged := slices.ContainsFunc(rests, func(r jobs.Rest) bool { return r.Table == table.Name })
			if c.Name == "expires_at" && !purged && !slices.Contains(kept, table.Name) {
				t.Errorf("%s expire and are never removed", table.Name)
			}
		}
	}
}
