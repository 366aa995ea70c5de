package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/entwine-go/entwine/kit/jobs"
)

// thumbnail has the arguments of a job: the type is the kind of work.
type thumbnail struct {
	Photo int64 `json:"photo"`
}

// Kind names the kind of work.
func (thumbnail) Kind() string { return "thumbnail" }

// Options are those of all jobs of the kind: no two unfinished ones are of the
// same photo.
func (t thumbnail) Options() jobs.Options {
	return jobs.Options{Queue: jobs.Bulk, Unique: fmt.Sprint(t.Photo), Attempts: 3}
}

// painter makes thumbnails.
type painter struct{}

// Limit bounds one attempt.
func (painter) Limit() time.Duration { return time.Minute }

// Work does one job. An error has it tried again, unless it is permanent.
func (painter) Work(_ context.Context, job *jobs.Job[thumbnail]) error {
	if job.Args.Photo == 0 {
		return jobs.Permanent(errors.New("there is no photo 0"))
	}
	fmt.Println("paint photo", job.Args.Photo)
	return nil
}

// A kind of job is a type of arguments and its handler. A service lists its kinds
// in app.Parts; the client of app.Host enqueues jobs.
func ExampleHandle() {
	kind := jobs.Handle[thumbnail](painter{})
	fmt.Printf("%T\n", kind)

	err := painter{}.Work(context.Background(), &jobs.Job[thumbnail]{Args: thumbnail{Photo: 7}})
	fmt.Println(err)
	// Output:
	// jobs.Kind
	// paint photo 7
	// <nil>
}

// An entry of a schedule makes a job at each tick of its specification, in UTC.
func ExampleEntry() {
	nightly := jobs.Entry{
		Spec: "30 2 * * *",
		Args: func(tick time.Time) jobs.Args { return thumbnail{Photo: int64(tick.YearDay())} },
	}
	tick := time.Date(2026, 1, 31, 2, 30, 0, 0, time.UTC)
	fmt.Println(nightly.Args(tick).Kind(), nightly.Args(tick))
	// Output: thumbnail {31}
}
