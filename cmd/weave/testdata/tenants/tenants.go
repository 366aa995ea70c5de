package main

import (
	"context"

	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/viewer"

	"example.com/acme/notes/ent/orm"
)

func open(h *app.Host) (*app.Parts, error) {
	return &app.Parts{Kinds: []jobs.Kind{jobs.Handle(jobs.HandlerFunc[finished](func(ctx context.Context, job *jobs.Job[finished]) error {
		n, err := orm.Client(h.DB).Note.Query().Count(ctx)
		if err != nil {
			return err
		}
		h.Log.Info("a note was finished", "of", n, "tenant", viewer.From(ctx).Tenant)
		return nil
	}))}}, nil
}

// finished is the event of a note that is finished.
type finished struct {
	ID int64 `json:"id"`
}

// Kind is the kind of job that the topic names.
func (finished) Kind() string { return "finished" }
