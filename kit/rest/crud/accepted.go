package crud

import (
	"context"
	"net/http"

	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/rest/handler"
)

// accepted answers with the job that takes care of a request.
func (a *API) accepted(ctx context.Context, w http.ResponseWriter, message string, id gid.ID) error {
	x := handler.From(ctx)
	x.Outcome.Row = idempotency.Row{Entity: a.Jobs.Name, ID: id}
	url := x.Base + "/" + a.Jobs.Path + "/" + x.Version.IDs.Segment(a.Jobs.Name, id)
	body, err := handler.Beside(struct {
		Message   string `json:"message"`
		JobID     gid.ID `json:"jobId"`
		StatusURL string `json:"statusUrl"`
	}{message, id, url})
	if err != nil {
		return err
	}
	w.Header().Set("Location", url)
	w.Header().Set("Retry-After", "1")
	return x.Plain(w, http.StatusAccepted, body)
}

// acceptedAgain answers a repetition of a request that a job takes care of, if
// the caller can read the job.
func (a *API) acceptedAgain(message string) Again {
	return func(ctx context.Context, w http.ResponseWriter, kept idempotency.Outcome) error {
		if err := a.Door.Parent(ctx, a.Jobs.Entity, kept.Row.ID); err != nil {
			return err
		}
		return a.accepted(ctx, w, message, kept.Row.ID)
	}
}
