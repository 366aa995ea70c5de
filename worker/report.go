package worker

import (
	"context"
	"time"

	"github.com/entwine-go/entwine/internal/reporting"
	"github.com/entwine-go/entwine/kit/jobs"
)

func init() {
	register(func(d Deps) jobs.Kind {
		return jobs.Handle(&printer{reporter: &reporting.Reporter{DB: d.DB}})
	})
}

// printer writes reports.
type printer struct{ reporter *reporting.Reporter }

// Limit lets a report of millions of rows come to its end.
func (p *printer) Limit() time.Duration { return 2 * time.Hour }

// Work writes the report to the job's result, while it is read. It is done as who has
// asked for it: the file would be theirs, perhaps by a retry long after they could ask.
func (p *printer) Work(ctx context.Context, job *jobs.Job[reporting.Report]) error {
	if err := reporting.Allowed(ctx); err != nil {
		return jobs.Permanent(err)
	}
	out, err := job.Output(ctx, job.Args.MediaType(), job.Args.FileName())
	if err != nil {
		return err
	}
	if err := p.reporter.Write(ctx, out, job.Args, job.Progress); err != nil {
		return err
	}
	return out.Complete(ctx, nil)
}

// yesterday is the sales report of the day before the tick.
func yesterday(tick time.Time) jobs.Args {
	to := tick.UTC().Truncate(24 * time.Hour)
	from := to.AddDate(0, 0, -1)
	return reporting.Report{Type: reporting.SalesReport, Format: reporting.CSV, From: &from, To: &to}
}
