package reporting

import (
	"context"
	"fmt"

	"github.com/entwine-go/entwine/ent/job"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Allowed refuses the report of a user who may not read figures any more: the
// file would be theirs, perhaps by a retry long after they could ask for it.
// A job without a user is the schedule's, or of a user who was removed, and
// only admins read its file.
func (r *Reporter) Allowed(ctx context.Context, jobID int64) error {
	u, err := r.Ent.Job.Query().Where(job.ID(typedid.JobID(jobID))).QueryUser().Only(viewer.With(ctx, viewer.System()))
	if store.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("find who started job %d: %w", jobID, err)
	}
	if entity.Job.Rules.Check(&viewer.Viewer{UserID: int64(u.ID), Role: viewer.Role(u.Role)}, "report") == nil {
		return nil
	}
	return jobs.Permanent(problem.New(problem.Forbidden, "whoever asked for the report may not read it any more"))
}
