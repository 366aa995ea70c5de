// Package reporting computes the figures of the dashboard, the sales of a period,
// and reports as files.
//
// It owns what the figures mean. Money counts where it moved: sales on the
// day of the payment, refunds on the day they were paid back; days are days
// in UTC, and amounts of different currencies are never added. Files are made
// by jobs: [Reporter.Generate] accepts one, package worker calls
// [Reporter.Write] for it.
package reporting

import (
	"context"
	"time"

	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Reporter reads figures. Now may be nil for the system's clock.
//
// They are sums and counts over many rows, each of one statement: so they are SQL.
type Reporter struct {
	DB   *store.DB
	Jobs *jobs.Client
	Now  func() time.Time

	cache cache
}

// now is the time in the form that is shown: in UTC, to the microsecond.
func (r *Reporter) now() time.Time {
	now := time.Now
	if r.Now != nil {
		now = r.Now
	}
	return now().UTC().Truncate(time.Microsecond)
}

// Allowed refuses viewers who may not read figures.
func Allowed(ctx context.Context) error {
	return entity.Job.Rules.Check(viewer.From(ctx), "report")
}

// Span is a time, from its beginning up to and without its end.
type Span struct{ From, To time.Time }

// longest is the longest span of a series, in days.
const longest = 3660

// span returns the span between two moments that may be left out: up to now,
// and 30 days long.
func (r *Reporter) span(from, to *time.Time) (Span, error) {
	if err := problem.Inputs(append(inYears("from", from), inYears("to", to)...)...); err != nil {
		return Span{}, err
	}
	s := Span{To: r.now()}
	if to != nil {
		s.To = to.UTC()
	}
	s.From = day(s.To).AddDate(0, 0, -29)
	if first := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC); s.From.Before(first) {
		s.From = first
	}
	if from != nil {
		s.From = from.UTC()
	}
	if !s.From.Before(s.To) {
		return s, problem.Inputs(problem.Rulef("from", s.From, "must be before to"))
	}
	if s.To.Sub(s.From) > longest*24*time.Hour {
		return s, problem.Inputs(problem.Rulef("from", s.From, "must be at most %d days before to", longest))
	}
	return s, nil
}
