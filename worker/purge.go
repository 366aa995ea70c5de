package worker

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/runtime/statement"
	"github.com/entwine-go/entwine/kit/runtime/store"
)

// purge removes what is past its keeping.
type purge struct{}

// Kind names the work.
func (purge) Kind() string { return "purge" }

// Options puts it where nobody waits.
func (purge) Options() jobs.Options { return jobs.Options{Queue: jobs.Bulk} }

func init() {
	register(func(d Deps) jobs.Kind { return jobs.Handle(&purger{db: d.DB, log: d.Log}) })
}

type purger struct {
	db  *store.DB
	log *slog.Logger
}

// rest is something that is kept for a while: the rows of a table for which
// the condition holds can go.
type rest struct{ table, gone string }

const day = "86400"

// rests are listed so that what refers to others goes first. An event has
// been read by every subscriber after seconds; the hour is for processes that
// were cut off. What was used for signing in is kept a day beyond its end,
// so that its reuse is still recognised.
var rests = []rest{
	{"events", "created_at < later(-3600)"},
	{"idempotency_records", "expires_at < now()"},
	{"payment_events", "created_at < later(-30 * " + day + ")"},
	{"deprecated_uses", "created_at < later(-90 * " + day + ")"},
	{"login_failures", "created_at < later(-" + day + ")"},
	{"external_logins", "expires_at < now()"},
	{"handoffs", "expires_at < now()"},
	{"reset_tokens", "expires_at < later(-" + day + ")"},
	{"verification_tokens", "expires_at < now()"},
	{"email_changes", "expires_at < now()"},
	{"sessions", "expires_at < later(-" + day + ")"},
	{"refresh_families", "expires_at < later(-" + day + ")"},
	// Results that are no longer kept, and what attempts have written that
	// came to nothing.
	{"job_chunks", `EXISTS (SELECT 1 FROM jobs WHERE jobs.id = job_chunks.job_id AND finished_at IS NOT NULL
		AND (result_until IS NULL OR result_until < now() OR jobs.fence <> job_chunks.fence))`},
	{"jobs", "tick IS NOT NULL AND status = 'succeeded' AND result_type IS NULL AND finished_at < later(-2 * " + day + ")"},
	{"jobs", "finished_at < later(-30 * " + day + ")"},
}

// batch is how many rows go in one statement, so that none holds its locks
// for long.
const batch = "1000"

var unlinkText = statement.Of(`UPDATE jobs SET result_url = NULL, updated_at = now() WHERE result_until < now() AND result_url IS NOT NULL`)

// Work removes everything that can go, in small steps.
func (p *purger) Work(ctx context.Context, job *jobs.Job[purge]) error {
	if _, err := unlinkText.Exec(ctx, p.db); err != nil {
		return fmt.Errorf("take links to results away: %w", err)
	}
	for i, r := range rests {
		n, err := p.remove(ctx, r)
		if err != nil {
			return fmt.Errorf("purge %s: %w", r.table, err)
		}
		if n > 0 {
			p.log.InfoContext(ctx, "removed what is past its keeping", "table", r.table, "rows", n)
		}
		job.Progress(float64(i+1) / float64(len(rests)))
	}
	return nil
}

func (p *purger) remove(ctx context.Context, r rest) (total int64, err error) {
	remove := statement.Of(`DELETE FROM ` + r.table + ` WHERE id IN (SELECT id FROM ` + r.table + ` WHERE ` + r.gone + ` LIMIT ` + batch + `)`)
	for {
		n, err := remove.Exec(ctx, p.db)
		total += n
		if err != nil || n == 0 {
			return total, err
		}
	}
}
