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
	return &app.Parts{Methods: rows.NewMethods(service.Keys(h), jobs.Actions{Client: h.Jobs}, sites{h})}, nil
}

// sites opens sites by Ent's client.
type sites struct{ *app.Host }

// Open implements rows.SiteMethods.
func (s sites) Open(ctx context.Context, id uuid.UUID) (write.Result, error) {
	return write.Result{}, orm.Client(s.DB).Site.UpdateOneID(id).SetClosed(false).Exec(policy.As(ctx, "open"))
}
