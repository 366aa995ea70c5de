package jobs

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/entwine-go/entwine/kit/store/statement"
)

// Count is how many jobs of a queue are in a state.
type Count struct {
	Queue  Queue  `json:"queue"`  // where they wait
	Status string `json:"status"` // one of [Statuses]
	Jobs   int64  `json:"jobs"`   // how many there are
	// Oldest is for how many seconds the first of them has been due, running
	// or finished.
	Oldest float64 `json:"oldest_seconds"`
}

// The counts of all jobs, and of those that have not ended, which take an
// index to find.
var (
	countText   = statement.Of(countOf(""))
	backlogText = statement.Of(countOf("WHERE finished_at IS NULL"))
)

func countOf(which string) string {
	return `SELECT queue, status, COUNT(*), MAX(since(t)) FROM (
		SELECT queue, status, CASE WHEN finished_at IS NOT NULL THEN finished_at WHEN status = 'running' THEN started_at ELSE run_at END AS t
		FROM jobs ` + which + `) AS j
	GROUP BY queue, status ORDER BY queue, status`
}

// Stats counts all jobs, by queue and state.
func (c *Client) Stats(ctx context.Context) ([]Count, error) { return c.count(ctx, countText) }

// Backlog counts the jobs that have not ended, by queue and state.
func (c *Client) Backlog(ctx context.Context) ([]Count, error) { return c.count(ctx, backlogText) }

func (c *Client) count(ctx context.Context, s statement.Statement, args ...any) (all []Count, err error) {
	err = s.Query(ctx, c.DB, func(rows *sql.Rows) error {
		var n Count
		err := rows.Scan(&n.Queue, &n.Status, &n.Jobs, &n.Oldest)
		all = append(all, n)
		return err
	}, args...)
	if err != nil {
		return nil, fmt.Errorf("count jobs: %w", err)
	}
	return all, nil
}

// mostCounted bounds how many rows the pictures of an operator read: what is due first,
// and what has ended last.
const mostCounted = 100_000

// Flow is how jobs come and go, for an operator's pictures.
type Flow struct {
	// Queues count the jobs that have not ended, at most the 100,000 that are looked after
	// first. All is whether these are all.
	Queues []Count `json:"queues"`
	All    bool    `json:"all"`
	// Ended counts those that have ended within the last hour, at most the last 100,000.
	Ended []Ended `json:"ended"`
}

// Ended is how many jobs have ended in a minute, in a state.
type Ended struct {
	Minute int64  `json:"minute"` // how many minutes ago, 0 for the last
	Status string `json:"status"` // succeeded, failed, cancelled
	Jobs   int64  `json:"jobs"`   // how many there are
}

// Both read an index of jobs, up to mostCounted of its entries with their rows.
var (
	waitingText = statement.Of(countOf(`WHERE finished_at IS NULL ORDER BY ring_at LIMIT $1`))
	endedText   = statement.Of(`SELECT minute, status, COUNT(*) FROM (
		SELECT CAST(since(finished_at) AS bigint) / 60 AS minute, status FROM jobs
		WHERE finished_at IS NOT NULL AND finished_at > later(-3600) ORDER BY finished_at DESC LIMIT $1) AS j
	GROUP BY minute, status ORDER BY minute, status`)
)

// Flow counts the jobs that wait, and those that have ended lately, in two statements that
// read at most 100,000 rows each.
func (c *Client) Flow(ctx context.Context) (f Flow, err error) {
	if f.Queues, err = c.count(ctx, waitingText, mostCounted); err != nil {
		return f, err
	}
	var due int64
	for _, n := range f.Queues {
		due += n.Jobs
	}
	f.All = due < mostCounted
	err = endedText.Query(ctx, c.DB, func(rows *sql.Rows) error {
		var e Ended
		err := rows.Scan(&e.Minute, &e.Status, &e.Jobs)
		f.Ended = append(f.Ended, e)
		return err
	}, mostCounted)
	if err != nil {
		return f, fmt.Errorf("count jobs that have ended: %w", err)
	}
	return f, nil
}
