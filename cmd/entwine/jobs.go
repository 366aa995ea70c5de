package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/job"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/internal/writes"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/runtime/store"
)

func jobListCommand() command {
	var status, kind string
	limit := 20
	return command{
		name:    "jobs list",
		summary: "List jobs, the newest first.",
		flags: func(fs *flag.FlagSet) {
			fs.StringVar(&status, "status", "", "only those in the `state`: queued, running, retrying, succeeded, failed or cancelled.")
			fs.StringVar(&kind, "kind", "", "only those of the `kind`, as in report.")
			fs.IntVar(&limit, "limit", limit, "how `many` at most.")
		},
		run: func(ctx context.Context, p *process, args []string) error {
			if err := wants(args); err != nil {
				return err
			}
			if status != "" && job.StatusValidator(job.Status(status)) != nil {
				return usagef("%q is no state of a job: entwine help jobs list shows them", status)
			}
			return p.withDatabase(ctx, func(ctx context.Context, db *store.DB) error {
				query := orm.Client(db).Job.Query().Order(ent.Desc(job.FieldID)).Limit(limit)
				if status != "" {
					query.Where(job.StatusEQ(job.Status(status)))
				}
				if kind != "" {
					query.Where(job.Kind(kind))
				}
				all, err := query.All(ctx)
				if err != nil {
					return err
				}
				return p.listJobs(all)
			})
		},
	}
}

func (p *process) listJobs(all []*ent.Job) error {
	w := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tKIND\tQUEUE\tSTATUS\tPROGRESS\tATTEMPTS\tCREATED\tERROR")
	for _, j := range all {
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%.0f%%\t%d/%d\t%s\t%s\n", j.ID, j.Kind, j.Queue, j.Status, 100*j.Progress,
			j.Attempts, j.MaxAttempts, when(&j.CreatedAt), orDash(j.Error))
	}
	return w.Flush()
}

func orDash(s *string) string {
	if s == nil {
		return "-"
	}
	return *s
}

func jobShowCommand() command {
	return command{
		name:    "jobs show",
		args:    "ID",
		summary: "Show everything about a job.",
		run: func(ctx context.Context, p *process, args []string) error {
			id, err := jobID(args)
			if err != nil {
				return err
			}
			return p.withDatabase(ctx, func(ctx context.Context, db *store.DB) error {
				j, err := orm.Client(db).Job.Query().Where(job.ID(typedid.JobID(id))).Only(ctx)
				if ent.IsNotFound(err) {
					return fmt.Errorf("there is no job %d", id)
				}
				if err != nil {
					return err
				}
				return p.showJob(j)
			})
		},
	}
}

func (p *process) showJob(j *ent.Job) error {
	w := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	for _, row := range [][2]string{
		{"id", strconv.FormatInt(int64(j.ID), 10)},
		{"kind", j.Kind},
		{"args", string(j.Args)},
		{"queue", j.Queue},
		{"status", string(j.Status)},
		{"progress", fmt.Sprintf("%.0f%%", 100*j.Progress)},
		{"attempts", fmt.Sprintf("%d of %d", j.Attempts, j.MaxAttempts)},
		{"error", orDash(j.Error)},
		{"created", when(&j.CreatedAt)},
		{"due", when(&j.RunAt)},
		{"rung", when(j.RungAt)},
		{"started", when(j.StartedAt)},
		{"lease until", when(j.LeaseUntil)},
		{"finished", when(j.FinishedAt)},
		{"result", orDash(j.ResultName)},
	} {
		fmt.Fprintf(w, "%s\t%s\n", row[0], row[1])
	}
	return w.Flush()
}

func jobRetryCommand() command {
	return command{
		name:    "jobs retry",
		args:    "ID …",
		summary: "Queue jobs again that have failed or were cancelled.",
		run: func(ctx context.Context, p *process, args []string) error {
			return p.eachJob(ctx, args, "retry")
		},
	}
}

func jobCancelCommand() command {
	return command{
		name:    "jobs cancel",
		args:    "ID …",
		summary: "Cancel jobs that have not ended. What one has not completed has no effect.",
		run: func(ctx context.Context, p *process, args []string) error {
			return p.eachJob(ctx, args, "cancel")
		},
	}
}

// eachJob does to each of the jobs what the verb is declared to do.
func (p *process) eachJob(ctx context.Context, args []string, verb string) error {
	if len(args) == 0 {
		return usagef("it takes the ids of jobs: entwine jobs list shows them")
	}
	return p.withDatabase(ctx, func(ctx context.Context, db *store.DB) error {
		b, err := p.background(db)
		if err != nil {
			return err
		}
		var all []error
		for _, arg := range args {
			id, err := jobID([]string{arg})
			if err == nil {
				_, err = act(ctx, db, writes.Activities{Jobs: b.jobs}, rows.Job, id, verb)
			}
			if err != nil {
				all = append(all, fmt.Errorf("job %s: %w", arg, err))
			}
		}
		return errors.Join(append(all, b.Close())...)
	})
}

func jobStatsCommand() command {
	asJSON := false
	return command{
		name:    "jobs stats",
		summary: "Count jobs by queue and state, and say how long the oldest has been in it.",
		flags: func(fs *flag.FlagSet) {
			fs.BoolVar(&asJSON, "json", false, "print JSON.")
		},
		run: func(ctx context.Context, p *process, args []string) error {
			if err := wants(args); err != nil {
				return err
			}
			return p.withDatabase(ctx, func(ctx context.Context, db *store.DB) error {
				all, err := (&jobs.Client{DB: db}).Stats(ctx)
				if err != nil {
					return err
				}
				if asJSON {
					return json.NewEncoder(p.stdout).Encode(all)
				}
				return p.countJobs(all)
			})
		},
	}
}

func (p *process) countJobs(all []jobs.Count) error {
	w := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "QUEUE\tSTATUS\tJOBS\tOLDEST")
	for _, c := range all {
		fmt.Fprintf(w, "%s\t%s\t%d\t%v\n", c.Queue, c.Status, c.Jobs, (time.Duration(max(0, c.Oldest)) * time.Second).String()) // what waits for its time is not late
	}
	return w.Flush()
}

// jobID returns the job that the only argument names.
func jobID(args []string) (int64, error) {
	if err := wants(args, "ID"); err != nil {
		return 0, err
	}
	id, err := strconv.ParseInt(args[0], 10, 64)
	if err != nil || id < 1 {
		return 0, usagef("%q is not the id of a job: entwine jobs list shows them", args[0])
	}
	return id, nil
}
