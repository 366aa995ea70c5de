package reporting

import (
	"context"
	"fmt"
	"time"

	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/write"
)

// Report asks for a report as a file. It is the arguments of a job.
type Report struct {
	Type   Type       `json:"type" show:"true"`
	Format Format     `json:"format" show:"true"`
	From   *time.Time `json:"from,omitempty" show:"true"`
	To     *time.Time `json:"to,omitempty" show:"true"`
	// Names are those of the columns, in their order, and Global is set where ids are
	// GraphQL's: as the API has them that the report was asked for through.
	Names  []string `json:"names,omitempty" show:"false"`
	Global bool     `json:"global,omitempty" show:"false"`
}

// As is the report as the API writes names and ids.
func (q Report) As(api *write.API) Report {
	for _, c := range tables[q.Type].columns {
		q.Names = append(q.Names, api.Named(c.name))
	}
	_, q.Global = api.Shown("Order", gid.Int(1)).(string)
	return q
}

// Kind names the work.
func (Report) Kind() string { return "report" }

// Options puts reports where they hold up nothing else.
func (Report) Options() jobs.Options { return jobs.Options{Queue: jobs.Bulk, Attempts: 5} }

// Type is the subject of a report.
type Type string

// The types.
const (
	SalesReport     Type = "sales"     // an order in each row, by the time it was paid
	UsersReport     Type = "users"     // a user in each row, by the time they joined
	InventoryReport Type = "inventory" // a product in each row, by the time it was added
)

// Format is how a report's file is written.
type Format string

// The formats.
const (
	CSV  Format = "csv"
	JSON Format = "json"
	XLSX Format = "xlsx"
)

// check lists what is wrong with the request, all at once.
func (q Report) check() (bad []problem.Detail) {
	if _, ok := tables[q.Type]; !ok {
		bad = append(bad, problem.Rulef("type", string(q.Type), "must be one of sales, users, inventory"))
	}
	if _, ok := formats[q.Format]; !ok {
		bad = append(bad, problem.Rulef("format", string(q.Format), "must be one of csv, json, xlsx"))
	}
	return append(bad, moments(q.From, q.To)...)
}

// moments lists what is wrong with the beginning and the end of a time.
func moments(from, to *time.Time) []problem.Detail {
	bad := append(inYears("from", from), inYears("to", to)...)
	if from != nil && to != nil && !from.Before(*to) {
		bad = append(bad, problem.Rulef("from", from, "must be before to"))
	}
	return bad
}

// inYears refuses a moment of a year that no database keeps.
func inYears(field string, t *time.Time) []problem.Detail {
	if t == nil || t.UTC().Year() >= 1 && t.UTC().Year() <= 9999 {
		return nil
	}
	return []problem.Detail{problem.Rulef(field, t.Format(time.RFC3339), "must be in the years 1 to 9999")}
}

// MediaType is the media type of the report's file.
func (q Report) MediaType() string { return formats[q.Format].mediaType }

// FileName is a name for the report's file.
func (q Report) FileName() string {
	name := string(q.Type)
	if q.From != nil {
		name += "-from-" + q.From.UTC().Format(time.DateOnly)
	}
	if q.To != nil {
		name += "-to-" + q.To.UTC().Format(time.DateOnly)
	}
	return name + "." + string(q.Format)
}

// Generate accepts a report and returns its job's id.
func (r *Reporter) Generate(ctx context.Context, q Report) (jobID int64, err error) {
	if err := Allowed(ctx); err != nil {
		return 0, err
	}
	if err := problem.Inputs(q.check()...); err != nil {
		return 0, err
	}
	id, err := r.Jobs.Enqueue(ctx, q, jobs.Options{})
	if err != nil {
		return 0, fmt.Errorf("generate %s report: %w", q.Type, err)
	}
	return id, nil
}
