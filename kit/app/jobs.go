package app

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/write"
)

func jobListCommand() Command {
	var status, kind string
	limit := 20
	return Command{
		Name:    "jobs list",
		Summary: "List jobs, the newest first.",
		Flags: func(fs *flag.FlagSet) {
			fs.StringVar(&status, "status", "", "only those in the `state`: queued, running, retrying, succeeded, failed or cancelled.")
			fs.StringVar(&kind, "kind", "", "only those of the `kind`, as in report.")
			fs.IntVar(&limit, "limit", limit, "how `many` at most.")
		},
		Run: func(ctx context.Context, p *Process, args []string) error {
			if err := Wants(args); err != nil {
				return err
			}
			if status != "" && !slices.Contains(jobs.Statuses(), status) {
				return Usagef("%q is no state of a job: %s help jobs list shows them", status, p.service.Name)
			}
			return p.WithDatabase(ctx, func(ctx context.Context, db *store.DB) error {
				all, err := (&jobs.Client{DB: db}).List(ctx, status, kind, limit)
				if err != nil {
					return err
				}
				return p.listJobs(all)
			})
		},
	}
}

func (p *Process) listJobs(all []jobs.Row) error {
	w := tabwriter.NewWriter(p.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tKIND\tQUEUE\tSTATUS\tPROGRESS\tATTEMPTS\tCREATED\tERROR")
	for i := range all {
		j := &all[i]
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%.0f%%\t%d/%d\t%s\t%s\n", j.ID, j.Kind, j.Queue, j.Status, 100*j.Progress,
			j.Attempts, j.MaxAttempts, when(&j.CreatedAt), failed(j))
	}
	return w.Flush()
}

func orDash(s *string) string {
	if s == nil {
		return "-"
	}
	return *s
}

func jobShowCommand() Command {
	return Command{
		Name:    "jobs show",
		Args:    "ID",
		Summary: "Show everything about a job.",
		Run: func(ctx context.Context, p *Process, args []string) error {
			id, err := p.jobID(args)
			if err != nil {
				return err
			}
			return p.WithDatabase(ctx, func(ctx context.Context, db *store.DB) error {
				j, err := (&jobs.Client{DB: db}).Find(ctx, id)
				if err != nil {
					return err
				}
				if j == nil {
					return fmt.Errorf("there is no job %d", id)
				}
				return p.showJob(j)
			})
		},
	}
}

func (p *Process) showJob(j *jobs.Row) error {
	w := tabwriter.NewWriter(p.Stdout, 0, 0, 2, ' ', 0)
	for _, row := range [][2]string{
		{"id", strconv.FormatInt(j.ID, 10)},
		{"kind", j.Kind},
		{"args", j.Args},
		{"queue", j.Queue},
		{"status", j.Status},
		{"progress", fmt.Sprintf("%.0f%%", 100*j.Progress)},
		{"attempts", fmt.Sprintf("%d of %d", j.Attempts, j.MaxAttempts)},
		{"error", failed(j)},
		{"created", when(&j.CreatedAt)},
		{"due", when(&j.RunAt)},
		{"rung", when(j.RungAt)},
		{"started", when(j.StartedAt)},
		{"lease until", when(j.LeaseUntil)},
		{"finished", when(j.FinishedAt)},
		{"result", orDash(j.Result)},
	} {
		fmt.Fprintf(w, "%s\t%s\n", row[0], row[1])
	}
	return w.Flush()
}

// failed says why the job's last attempt failed. The row has no more than what its
// owner may read: of any other error, the log of the process that worked on the
// job has the text, in a line with the job's id.
func failed(j *jobs.Row) string {
	if j.Error != nil && *j.Error == jobs.InternalError {
		return fmt.Sprintf("%s: the worker's log has the reason, at job_id %d", *j.Error, j.ID)
	}
	return orDash(j.Error)
}

// when is a time as lists show it.
func when(t *time.Time) string {
	if t == nil {
		return "never"
	}
	return t.Format(time.DateTime)
}

func jobRetryCommand() Command {
	return Command{
		Name:    "jobs retry",
		Args:    "ID …",
		Summary: "Queue jobs again that have failed or were cancelled.",
		Run: func(ctx context.Context, p *Process, args []string) error {
			return p.eachJob(ctx, args, "retried", (*jobs.Client).Retry)
		},
	}
}

func jobCancelCommand() Command {
	return Command{
		Name:    "jobs cancel",
		Args:    "ID …",
		Summary: "Cancel jobs that have not ended. The effects of a job that has not completed are undone.",
		Run: func(ctx context.Context, p *Process, args []string) error {
			return p.eachJob(ctx, args, "cancelled", (*jobs.Client).Cancel)
		},
	}
}

// eachJob changes each of the jobs, unless its state does not let it be.
func (p *Process) eachJob(ctx context.Context, args []string, verb string, change func(c *jobs.Client, ctx context.Context, id int64) error) error {
	if len(args) == 0 {
		return Usagef("it takes the ids of jobs: %s jobs list shows them", p.service.Name)
	}
	return p.WithDatabase(ctx, func(ctx context.Context, db *store.DB) error {
		h, err := p.host(db)
		if err != nil {
			return err
		}
		var all []error
		for _, arg := range args {
			id, err := p.jobID([]string{arg})
			if err == nil {
				err = why(ctx, h.Jobs, id, change(h.Jobs, ctx, id), verb)
			}
			if err != nil {
				all = append(all, fmt.Errorf("job %s: %w", arg, err))
			}
		}
		return errors.Join(append(all, h.Close())...)
	})
}

// why says of a job that was not changed what keeps it from that.
func why(ctx context.Context, c *jobs.Client, id int64, err error, verb string) error {
	if !errors.Is(err, write.ErrMoved) {
		return err
	}
	j, err := c.Find(ctx, id)
	if err != nil {
		return err
	}
	if j == nil {
		return errors.New("job not found")
	}
	return fmt.Errorf("the job is %s: it can't be %s", j.Status, verb)
}

func jobStatsCommand() Command {
	asJSON := false
	return Command{
		Name:    "jobs stats",
		Summary: "Count jobs by queue and state, and say how long the oldest has been in it.",
		Flags: func(fs *flag.FlagSet) {
			fs.BoolVar(&asJSON, "json", false, "print JSON.")
		},
		Run: func(ctx context.Context, p *Process, args []string) error {
			if err := Wants(args); err != nil {
				return err
			}
			return p.WithDatabase(ctx, func(ctx context.Context, db *store.DB) error {
				all, err := (&jobs.Client{DB: db}).Stats(ctx)
				if err != nil {
					return err
				}
				if asJSON {
					return json.NewEncoder(p.Stdout).Encode(all)
				}
				return p.countJobs(all)
			})
		},
	}
}

func (p *Process) countJobs(all []jobs.Count) error {
	w := tabwriter.NewWriter(p.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "QUEUE\tSTATUS\tJOBS\tOLDEST")
	for _, c := range all {
		fmt.Fprintf(w, "%s\t%s\t%d\t%v\n", c.Queue, c.Status, c.Jobs, (time.Duration(max(0, c.Oldest)) * time.Second).String()) // what waits for its time is not late
	}
	return w.Flush()
}

// jobID returns the job that the only argument names.
func (p *Process) jobID(args []string) (int64, error) {
	if err := Wants(args, "ID"); err != nil {
		return 0, err
	}
	id, err := strconv.ParseInt(args[0], 10, 64)
	if err != nil || id < 1 {
		return 0, Usagef("%q is not the id of a job: %s jobs list shows them", args[0], p.service.Name)
	}
	return id, nil
}
