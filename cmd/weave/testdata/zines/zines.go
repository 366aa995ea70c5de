package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/write"

	"example.com/acme/notes/ent/orm"
	"example.com/acme/notes/ent/typedid"
	"example.com/acme/notes/internal/rows"
	"example.com/acme/notes/internal/service"
)

func open(h *app.Host) (*app.Parts, error) {
	return &app.Parts{
		Methods: rows.NewMethods(service.Keys(h), jobs.Actions{Client: h.Jobs}, lending{h}),
		Kinds:   kinds(h), Schedule: schedule,
		Handlers: map[string]http.Handler{"/zines.txt": h.Handler(func(w http.ResponseWriter, r *http.Request) error {
			all, err := orm.Client(h.DB).Zine.Query().Limit(100).All(r.Context())
			for _, z := range all {
				fmt.Fprintln(w, z.Title)
			}
			return err
		})},
	}, nil
}

// lending is the method of zines.
type lending struct{ *app.Host }

// Lend implements rows.ZineMethods.
func (l lending) Lend(ctx context.Context, id int64, in rows.ZineLend) (write.Result, error) {
	return write.Result{}, orm.Client(l.DB).Zine.UpdateOneID(typedid.ZineID(id)).
		SetBorrower(in.To).Exec(policy.As(ctx, "lend"))
}

// catalogue is the event of a zine that is added.
type catalogue struct {
	ID int64 `json:"id"`
}

// Kind is the kind of job that the topic names.
func (catalogue) Kind() string { return "catalogue" }

// stocktaking is the schedule's work.
type stocktaking struct{}

// Kind names the kind of work.
func (stocktaking) Kind() string { return "stocktaking" }

var schedule = []jobs.Entry{{Spec: "0 * * * *", Args: func(time.Time) jobs.Args { return stocktaking{} }}}

func kinds(h *app.Host) []jobs.Kind {
	return []jobs.Kind{
		jobs.Handle(jobs.HandlerFunc[catalogue](func(ctx context.Context, job *jobs.Job[catalogue]) error {
			slip, err := job.Output(ctx, "text/plain; charset=utf-8", "slip.txt")
			if err != nil {
				return err
			}
			fmt.Fprintln(slip, "zine", job.Args.ID)
			return slip.Complete(ctx, func(ctx context.Context) error {
				return orm.Client(h.DB).Zine.UpdateOneID(typedid.ZineID(job.Args.ID)).
					SetCatalogued(true).Exec(viewer.With(ctx, viewer.System()))
			})
		})),
		jobs.Handle(jobs.HandlerFunc[stocktaking](func(context.Context, *jobs.Job[stocktaking]) error {
			h.Log.Info("stock is taken")
			return nil
		})),
	}
}
