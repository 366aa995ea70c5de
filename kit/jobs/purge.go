package jobs

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// Rest names rows that are kept for a while: rows of Table for which the condition
// Gone holds can be removed. In conditions now() is the time, and later(s) that s
// seconds on.
type Rest struct {
	// Table is the table's name, and Gone the condition in SQL.
	Table, Gone string
	// Aged rows can go in the order of their ids, as they were made: only the first
	// of a table are looked at, and nothing but the key has to find them. For a
	// table with many writes that saves an index on the time.
	Aged bool
}

// Purge is the job that removes the rows of each [Rest].
type Purge struct{}

// Kind names the work.
func (Purge) Kind() string { return "purge" }

// RunsAs is the system.
func (Purge) RunsAs() As { return AsSystem }

// Options puts it into the bulk queue.
func (Purge) Options() Options { return Options{Queue: Bulk} }

// PurgeEntry enqueues [Purge] every hour.
func PurgeEntry() Entry {
	return Entry{Spec: "17 * * * *", Args: func(time.Time) Args { return Purge{} }}
}

// rests are rows of jobs to remove: results past their keeping, chunks of failed
// attempts, and jobs that have ended.
var rests = []Rest{
	{Table: "job_chunks", Gone: `EXISTS (SELECT 1 FROM jobs WHERE jobs.id = job_chunks.job_id AND finished_at IS NOT NULL
		AND (result_until IS NULL OR result_until < now() OR jobs.fence <> job_chunks.fence))`},
	{Table: "jobs", Gone: "tick IS NOT NULL AND status = 'succeeded' AND result_type IS NULL AND finished_at < later(-2 * 86400)"},
	{Table: "jobs", Gone: "finished_at < later(-30 * 86400)"},
}

// NewPurge returns the kind of [Purge]: its handler removes the rests in their order,
// so that rows which refer to others come before these, and then those of jobs. Tables
// that the database does not have are passed over.
func NewPurge(db *store.DB, log *slog.Logger, all ...Rest) Kind {
	return Handle(&purger{db: db, log: log, rests: append(slices.Clip(all), rests...)})
}

type purger struct {
	db    *store.DB
	log   *slog.Logger
	rests []Rest
}

var (
	unfileText = statement.Of(`UPDATE jobs SET result_file = NULL, updated_at = now() WHERE result_until > $1 AND result_until <= $2 AND result_file IS NOT NULL`)
	unlinkText = statement.Of(`UPDATE jobs SET result_url = NULL, updated_at = now() WHERE result_until > $1 AND result_until <= $2 AND result_url IS NOT NULL`)
	untilText  = statement.Of(`SELECT result_until FROM (SELECT result_until FROM jobs WHERE result_until > $1 AND result_until < now()
		ORDER BY result_until LIMIT ` + purgeBatch + `) AS first ORDER BY result_until DESC LIMIT 1`)
	tablesText = statement.Each(store.Dialect.Tables)
)

// Work removes everything that can go, in small steps.
func (p *purger) Work(ctx context.Context, job *Job[Purge]) error {
	tables, err := p.tables(ctx)
	if err != nil {
		return err
	}
	if err := p.unlink(ctx, job); err != nil {
		return fmt.Errorf("take results away: %w", err)
	}
	for i, r := range p.rests {
		if !tables[r.Table] {
			continue
		}
		remove := p.remove
		if r.Aged {
			remove = p.removeFirst
		}
		n, err := remove(ctx, r)
		if err != nil {
			return fmt.Errorf("purge %s: %w", r.Table, err)
		}
		if n > 0 {
			p.log.InfoContext(ctx, "removed what is past its keeping", "table", r.Table, "rows", n)
		}
		job.Progress(float64(i+1) / float64(len(p.rests)))
	}
	return nil
}

// unlink takes away links to results past their keeping, and their files, whose triggers
// release them, in the order in which they expire.
func (p *purger) unlink(ctx context.Context, job *Job[Purge]) error {
	_, filed := job.issued()
	for after := time.Unix(0, 0).UTC(); ; {
		var until time.Time
		found, err := untilText.Row(ctx, p.db, []any{&until}, after)
		if err != nil || !found {
			return err
		}
		if _, err := unlinkText.Exec(ctx, p.db, after, until); err != nil {
			return err
		}
		if filed {
			if _, err := unfileText.Exec(ctx, p.db, after, until); err != nil {
				return err
			}
		}
		after = until
	}
}

// tables are those that the database has: a service has the tables of the kit
// that its schemas embed.
func (p *purger) tables(ctx context.Context) (map[string]bool, error) {
	all := map[string]bool{}
	err := tablesText.Query(ctx, p.db, func(rows *sql.Rows) error {
		var name string
		err := rows.Scan(&name)
		all[name] = true
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list tables: %w", err)
	}
	return all, nil
}

// purgeBatch is how many rows go in one statement, so that none holds its locks
// for long.
const purgeBatch = "1000"

func (p *purger) remove(ctx context.Context, r Rest) (total int64, err error) {
	remove := statement.Of(`DELETE FROM ` + r.Table + ` WHERE id IN (SELECT id FROM ` + r.Table + ` WHERE ` + r.Gone + ` LIMIT ` + purgeBatch + `)`)
	for {
		n, err := remove.Exec(ctx, p.db)
		total += n
		if err != nil || n == 0 {
			return total, err
		}
	}
}

// removeFirst removes the rows with the lowest ids, up to the first batch of which
// none can go.
func (p *purger) removeFirst(ctx context.Context, r Rest) (total int64, err error) {
	last := statement.Of(`SELECT COALESCE(MAX(id), 0) FROM (SELECT id FROM ` + r.Table + ` WHERE id > $1 ORDER BY id LIMIT ` + purgeBatch + `) AS first`)
	remove := statement.Of(`DELETE FROM ` + r.Table + ` WHERE id > $1 AND id <= $2 AND ` + r.Gone)
	for after := int64(0); ; {
		var to, n int64
		if _, err := last.Row(ctx, p.db, []any{&to}, after); err != nil || to == 0 {
			return total, err
		}
		n, err = remove.Exec(ctx, p.db, after, to)
		total += n
		if err != nil || n == 0 {
			return total, err
		}
		after = to
	}
}
