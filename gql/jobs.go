package gql

import (
	"context"

	"github.com/entwine-go/entwine/gql/generated"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/runtime/gid"
	"github.com/entwine-go/entwine/kit/runtime/graph/door"
)

// CancelJob resolves cancelJob.
func (r *resolver) CancelJob(ctx context.Context, id string) (*generated.Job, error) {
	key, err := door.Key(entity.Job, id)
	if err != nil {
		return nil, err
	}
	return jobOf(key, r.Work.Cancel(ctx, key))
}

// RetryJob resolves retryJob.
func (r *resolver) RetryJob(ctx context.Context, id string) (*generated.Job, error) {
	key, err := door.Key(entity.Job, id)
	if err != nil {
		return nil, err
	}
	return jobOf(key, r.Work.Retry(ctx, key))
}

// jobOf is the job with the id, unless there is an error. What is selected of
// it is read afterwards.
func jobOf(id int64, err error) (*generated.Job, error) {
	if err != nil {
		return nil, err
	}
	return &generated.Job{ID: gid.Encode(entity.Job.Name, id)}, nil
}
