package rest

import (
	"context"
	"net/http"

	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/runtime/resource/door"
	"github.com/entwine-go/entwine/rest/oas/server"
)

// jobGuards are the guards of the operations in job_result.yaml.
var jobGuards = map[string]door.Guard{"readJobResult": {Entity: entity.Job}}

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
