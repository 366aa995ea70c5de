package rest

import (
	"context"
	"net/http"
	"strconv"

	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/runtime/idempotency"
	"github.com/entwine-go/entwine/kit/runtime/resource"
	"github.com/entwine-go/entwine/kit/runtime/resource/door"
	"github.com/entwine-go/entwine/rest/crud"
	"github.com/entwine-go/entwine/rest/oas/server"
)

// jobGuards are the guards of the operations in jobs.yaml.
var jobGuards = map[string]door.Guard{
	"cancelJob":     {Entity: entity.Job, Verb: policy.Cancel},
	"retryJob":      {Entity: entity.Job, Verb: policy.Retry},
	"readJobResult": {Entity: entity.Job},
}

// CancelJob ends a job: POST /jobs/{id}/cancel.
func (o *operations) CancelJob(ctx context.Context, params server.CancelJobParams, w http.ResponseWriter) error {
	return o.actOnJob(ctx, w, params.ID, policy.Cancel, o.Work.Cancel)
}

// RetryJob queues a job again: POST /jobs/{id}/retry.
func (o *operations) RetryJob(ctx context.Context, params server.RetryJobParams, w http.ResponseWriter) error {
	return o.actOnJob(ctx, w, params.ID, policy.Retry, o.Work.Retry)
}

// actOnJob changes the state of a job, and answers with what it is then. What
// the request asks to be shown is read first: a request that is refused for
// that changes nothing.
func (o *operations) actOnJob(ctx context.Context, w http.ResponseWriter, id int64, verb string, act func(context.Context, int64) error) error {
	return o.door.Act(ctx, w, crud.JobResource, id, verb, func(ctx context.Context) error { return act(ctx, id) })
}

// ReadJobResult answers with the file that a job has made: GET /jobs/{id}/result.
func (o *operations) ReadJobResult(ctx context.Context, params server.ReadJobResultParams, w http.ResponseWriter) error {
	if err := o.door.Parent(ctx, entity.Job, params.ID); err != nil {
		return err
	}
	result, err := o.Work.Result(ctx, params.ID)
	if err != nil {
		return err
	}
	return door.From(ctx).File(ctx, w, door.File{
		MediaType: result.MediaType, Name: result.Name, Size: result.Size, Tag: result.Tag(),
		Copy: result.Copy,
		Broken: func(ctx context.Context, err error) {
			o.Log.InfoContext(ctx, "download was broken off", "job_id", params.ID, "err", err)
		},
	})
}

// accepted is the answer to a request that a job takes care of.
func accepted(ctx context.Context, id int64, message string) *server.AcceptedHeaders {
	x := door.From(ctx)
	x.Outcome.Row = idempotency.Row{Entity: entity.Job.Name, ID: id}
	url := x.Base + "/jobs/" + strconv.FormatInt(id, 10)
	return &server.AcceptedHeaders{
		Location:   url,
		RetryAfter: 1,
		Response:   server.Accepted{Status: success, Message: message, JobId: id, StatusUrl: url},
	}
}

// acceptedAgain answers a repetition of a request that a job takes care of, if
// the caller can read the job.
func (o *operations) acceptedAgain(message string) resource.Again {
	return func(ctx context.Context, w http.ResponseWriter, kept idempotency.Outcome) error {
		if err := o.door.Parent(ctx, entity.Job, kept.Row.ID); err != nil {
			return err
		}
		a := accepted(ctx, kept.Row.ID, message)
		body, err := a.Response.MarshalJSON()
		if err != nil {
			return err
		}
		h := w.Header()
		h.Set("Content-Type", "application/json; charset=utf-8")
		h.Set("Content-Length", strconv.Itoa(len(body)))
		h.Set("Location", a.Location)
		h.Set("Retry-After", strconv.Itoa(a.RetryAfter))
		w.WriteHeader(kept.Status)
		_, _ = w.Write(body) // the client may be gone
		return nil
	}
}
