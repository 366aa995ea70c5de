package builtin

import (
	"context"
	"net/http"

	"github.com/entwine-go/entwine/kit/rest/handler"
)

// readJobResult answers with the file that a job has made, streamed, in parts
// where they are asked for: GET /jobs/{id}/result.
func (a *API) readJobResult(ctx context.Context, w http.ResponseWriter) error {
	x := handler.From(ctx)
	id := x.PathID("id")
	if err := a.Door.Parent(ctx, a.Jobs.Entity, id); err != nil {
		return err
	}
	result, err := a.Work.Result(ctx, id.Int())
	if err != nil {
		return err
	}
	file := handler.File{
		MediaType: result.MediaType, Name: result.Name, Size: result.Size, Tag: result.Tag(),
		Copy: result.Copy,
		Broken: func(ctx context.Context, err error) {
			a.Log.InfoContext(ctx, "download was broken off", "job_id", id, "err", err)
		},
	}
	if result.InFile() {
		file.Open = result.Open
	}
	return x.File(ctx, w, file)
}
