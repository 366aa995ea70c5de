package jobs

import (
	"context"

	"github.com/entwine-go/entwine/kit/write"
)

// Actions are the methods of the actions that the schema of jobs declares.
type Actions struct{ *Client }

// Cancel is [Client.Cancel].
func (a Actions) Cancel(ctx context.Context, id int64) (write.Result, error) {
	return write.Result{}, a.Client.Cancel(ctx, id)
}

// Retry is [Client.Retry].
func (a Actions) Retry(ctx context.Context, id int64) (write.Result, error) {
	return write.Result{}, a.Client.Retry(ctx, id)
}
