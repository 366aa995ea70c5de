package reporting

import (
	"context"

	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/runtime/writing"
)

// Reports are the methods behind the actions of schema.Job that are about reports.
type Reports struct{ *Reporter }

// Report accepts a report, and answers with the job that makes it.
func (r Reports) Report(ctx context.Context, in rows.ReportRequest) (writing.Result, error) {
	id, err := r.Generate(ctx, Report{Type: Type(in.Type), Format: Format(in.Format), From: in.From, To: in.To})
	return writing.Result{Job: id}, err
}
