package main

import (
	"context"

	"github.com/google/uuid"

	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/write"

	"example.com/acme/notes/ent/orm"
	"example.com/acme/notes/internal/rows"
	"example.com/acme/notes/internal/service"
)

func open(h *app.Host) (*app.Parts, error) {
	return &app.Parts{Kinds: []jobs.Kind{jobs.Handle(jobs.HandlerFunc[siteMade](func(ctx context.Context, job *jobs.Job[siteMade]) error {
		site, err := orm.Client(h.DB).Site.Get(ctx, job.Args.ID)
		if err != nil {
			return err
		}
		h.Log.Info("a site was made", "name", site.Name, "region", job.Args.RegionID, "main", job.Args.MainID)
		return nil
	}))}, Methods: rows.NewMethods(service.Keys(h), jobs.Actions{Client: h.Jobs}, sites{h})}, nil
}

// siteMade is the event of a new site.
type siteMade struct {
	ID       uuid.UUID  `json:"id"`
	Name     string     `json:"name"`
	RegionID string     `json:"region_id"`
	MainID   *uuid.UUID `json:"main_id"`
}

// Kind is the kind of job that the topic names.
func (siteMade) Kind() string { return "site_made" }

// sites opens sites by Ent's client.
type sites struct{ *app.Host }

// Open implements rows.SiteMethods.
func (s sites) Open(ctx context.Context, id uuid.UUID) (write.Result, error) {
	return write.Result{}, orm.Client(s.DB).Site.UpdateOneID(id).SetClosed(false).Exec(policy.As(ctx, "open"))
}
