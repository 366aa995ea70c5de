package events_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/events"
	"github.com/entwine-go/entwine/kit/internal/notes"
	"github.com/entwine-go/entwine/kit/internal/notes/migrate"
)

// Code that hears of events while its process runs subscribes to their topics. Events that
// must not be lost are handled by a job: see Topic.Job of package expose.
func ExampleTailer_Subscribe() {
	errEnough := errors.New("an example has an end")
	listen := func(ctx context.Context, h *app.Host) error {
		written, err := h.Events.Subscribe(ctx, events.Filter{Topics: []string{"note.written"}})
		if err != nil {
			return err
		}
		defer written.Close()
		ada, err := notes.User(ctx, h.DB, "Ada")
		if err != nil {
			return err
		}
		if _, err := notes.Note(ctx, h.DB, ada); err != nil {
			return err
		}
		e, err := written.Next(ctx)
		fmt.Println(e.Topic, "of", e.Entity, e.EntityID)
		return errors.Join(err, errEnough)
	}
	dir, err := os.MkdirTemp("", "notes-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	s := &app.Service{
		Name: "notes", Generated: app.Generated{Migrations: migrate.Files},
		Open: func(h *app.Host) (*app.Parts, error) {
			return &app.Parts{Start: func(ctx context.Context) error { return listen(ctx, h) }}, nil
		},
	}
	p := &app.Process{Stdout: io.Discard, Stderr: io.Discard, Environ: []string{"ENTWINE_DATA_DIR=" + dir, "ENTWINE_ADDR=127.0.0.1:0"}}
	s.Run(context.Background(), p, []string{"serve"})
	// Output: note.written of Note 1
}
