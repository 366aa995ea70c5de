package reporting

import (
	"context"
	"fmt"

	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
)

var starterText = statement.Of(`SELECT u.id, u.role FROM jobs AS j JOIN users AS u ON u.id = j.user_id WHERE j.id = $1`)

// Allowed refuses the report of a user who may not read figures any more: the
// file would be theirs, perhaps by a retry long after they could ask for it.
// A job without a user is the schedule's, or of a user who was removed, and
// only admins read its file.
func (r *Reporter) Allowed(ctx context.Context, jobID int64) error {
	v := new(viewer.Viewer)
	found, err := starterText.Row(ctx, r.DB, []any{&v.UserID, &v.Role}, jobID)
	if err != nil {
		return fmt.Errorf("find who started job %d: %w", jobID, err)
	}
	if !found || entity.Job.Rules.Check(v, "report") == nil {
		return nil
	}
	return jobs.Permanent(problem.New(problem.Forbidden, "whoever asked for the report may not read it any more"))
}
