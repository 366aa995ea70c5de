package jobs_test

import (
	"errors"
	"testing"

	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/write"
)

func TestCancelAndRetry(t *testing.T) {
	each(t, func(k *kit) {
		id := k.enqueue(add{}, jobs.Options{})
		if err := k.client.Retry(k.ctx, id); !errors.Is(err, write.ErrMoved) {
			k.Errorf("Retry of a queued job: %v, want that it moved", err)
		}
		if err := k.client.Cancel(k.ctx, id); err != nil {
			k.Errorf("Cancel: %v", err)
		}
		if err := k.client.Cancel(k.ctx, id); !errors.Is(err, write.ErrMoved) {
			k.Errorf("Cancel of a cancelled job: %v, want that it moved", err)
		}
		r := k.runner(k.adding)
		k.run(r, id)
		k.wantStatus(id, "cancelled")
		if err := k.client.Retry(k.ctx, id); err != nil {
			k.Errorf("Retry: %v", err)
		}
		if got := k.pending(jobs.Default); len(got) != 2 {
			k.Errorf("tasks %v, want the first and the one of the retry", got)
		}
		k.run(r, id)
		k.wantStatus(id, "succeeded")
		k.wantEffects(1)
	})
}

func TestAJobIsWhoseWhoStartedIt(t *testing.T) {
	each(t, func(k *kit) {
		ada, bob := k.user("ada"), k.user("bob")
		id, err := k.client.Enqueue(viewer.With(k.Context(), ada), add{}, jobs.Options{})
		if err != nil {
			k.Fatal(err)
		}
		if err := k.client.Cancel(viewer.With(k.Context(), bob), id); !errors.Is(err, write.ErrMoved) {
			k.Errorf("Cancel by another user: %v, want that it moved", err)
		}
		if err := k.client.Cancel(k.Context(), id); problem.KindOf(err) != problem.Unauthenticated {
			k.Errorf("Cancel by nobody: %v, want unauthenticated", err)
		}
		if err := k.client.Cancel(viewer.With(k.Context(), ada), id); err != nil {
			k.Errorf("Cancel by who started it: %v", err)
		}
		if err := k.client.Retry(viewer.With(k.Context(), bob), id); !errors.Is(err, write.ErrMoved) {
			k.Errorf("Retry by another user: %v, want that it moved", err)
		}
		admin := &viewer.Viewer{UserID: bob.UserID, Role: viewer.Admin}
		if err := k.client.Retry(viewer.With(k.Context(), admin), id); err != nil {
			k.Errorf("Retry by an admin: %v", err)
		}
		k.wantStatus(id, "queued")
	})
}
