package jobs

import (
	"context"

	"github.com/entwine-go/entwine/kit/runtime/writing"
)

// Actions are the methods behind what can be done to jobs.
type Actions struct{ *Client }

// Cancel ends a job.
func (a Actions) Cancel(ctx context.Context, id int64) (writing.Result, error) {
	return writing.Result{}, a.Client.Cancel(ctx, id)
}

// Retry queues a job again.
func (a Actions) Retry(ctx context.Context, id int64) (writing.Result, error) {
	return writing.Result{}, a.Client.Retry(ctx, id)
}
