package jobs

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/entwine-go/entwine/kit/store/statement"
)

// Statuses returns the states that a job can be in.
func Statuses() []string {
	return []string{"queued", "running", "retrying", "succeeded", "failed", "cancelled"}
}

// Row is a job as operators see it.
type Row struct {
	// ID names the job, Kind its handler, and Args are the handler's arguments in
	// JSON. Status is one of [Statuses], and Progress is from 0 to 1. CreatedAt is
	// when it was asked for, RungAt when it was last enqueued in asynq, FinishedAt
	// when it ended, all in UTC.
	ID, Attempts, MaxAttempts     int64
	Kind, Args, Queue, Status     string
	Progress                      float64
	Error, Result                 *string // Result is the name of the file that it made
	CreatedAt, RunAt              time.Time
	RungAt, StartedAt, LeaseUntil *time.Time
	FinishedAt                    *time.Time
}

const rowColumns = `SELECT id, kind, args::text, queue, status, progress, attempts, max_attempts, error, result_name,
	created_at, run_at, rung_at, started_at, lease_until, finished_at FROM jobs`

// into is where the columns go.
func (r *Row) into() []any {
	return []any{
		&r.ID, &r.Kind, &r.Args, &r.Queue, &r.Status, &r.Progress, &r.Attempts, &r.MaxAttempts, &r.Error, &r.Result,
		&r.CreatedAt, &r.RunAt, &r.RungAt, &r.StartedAt, &r.LeaseUntil, &r.FinishedAt,
	}
}

var (
	listText = statement.Of(rowColumns + ` WHERE ($1::text IS NULL OR status = $1) AND ($2::text IS NULL OR kind = $2) ORDER BY id DESC LIMIT $3`)
	rowText  = statement.Of(rowColumns + ` WHERE id = $1`)
)

// List returns the newest jobs, limit at most: those of the status and of the
// kind, or of any where these are empty.
func (c *Client) List(ctx context.Context, status, kind string, limit int) (all []Row, err error) {
	err = listText.Query(ctx, c.DB, func(rows *sql.Rows) error {
		var r Row
		err := rows.Scan(r.into()...)
		all = append(all, r)
		return err
	}, text(status), text(kind), limit)
	if err != nil {
		return nil, fmt.Errorf("list jobs: %w", err)
	}
	return all, nil
}

// Find returns the job with the id, nil if there is none.
func (c *Client) Find(ctx context.Context, id int64) (*Row, error) {
	var r Row
	found, err := rowText.Row(ctx, c.DB, r.into(), id)
	if err != nil {
		return nil, fmt.Errorf("find job %d: %w", id, err)
	}
	if !found {
		return nil, nil
	}
	_, args, err := takeMember([]byte(r.Args), shownMember) // it repeats the others
	if err != nil {
		return nil, fmt.Errorf("read the arguments of job %d: %w", id, err)
	}
	r.Args = string(args)
	return &r, nil
}
