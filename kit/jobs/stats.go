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

func (c *Client) count(ctx context.Context, s statement.Statement) (all []Count, err error) {
	err = s.Query(ctx, c.DB, func(rows *sql.Rows) error {
		var n Count
		err := rows.Scan(&n.Queue, &n.Status, &n.Jobs, &n.Oldest)
		all = append(all, n)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("count jobs: %w", err)
	}
	return all, nil
}
