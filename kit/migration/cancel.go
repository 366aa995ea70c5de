package migration

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	atlas "ariga.io/atlas/sql/migrate"
	"github.com/lib/pq"

	"github.com/entwine-go/entwine/kit/store"
)

// liveSuffix ends the name of the second file of a migration, whose statements are
// applied one by one.
const liveSuffix = "_live"

// ErrNotBegun says that there is no migration that could be cancelled.
var ErrNotBegun = errors.New("no migration is half applied: to change a migration that is applied whole, write another one")

// Cancellation has the statements that take a migration of PostgreSQL back whose
// second file has not ended.
type Cancellation struct {
	// Files are those of the migration.
	Files []string
	// Lost says how many values go, of each new column and table that has any. Stays
	// are columns of before whose rows keep what they were filled with.
	Lost, Stays []string

	versions []string
	reversal reversal
}

// Cancelling reads what it takes to cancel the migration that is half applied, and
// counts what would be lost. It changes nothing.
func Cancelling(ctx context.Context, db *store.DB, files fs.FS) (*Cancellation, error) {
	if !of(db.Dialect).live() {
		return nil, ErrNotBegun
	}
	dir, err := Dir(files, db.Dialect.Name())
	if err != nil {
		return nil, err
	}
	c, err := cancelling(ctx, revisions{db, of(db.Dialect)}, dir)
	if err != nil {
		return nil, err
	}
	for _, name := range c.reversal.lost {
		table, column, _ := strings.Cut(name, ".")
		what, query := "rows", "SELECT count(*)::text FROM "+pq.QuoteIdentifier(table)
		if column != "" {
			what, query = "values", fmt.Sprintf("SELECT count(%s)::text FROM %s", pq.QuoteIdentifier(column), pq.QuoteIdentifier(table))
		}
		n, err := steps{db, of(db.Dialect)}.text(ctx, query)
		if err != nil {
			return nil, fmt.Errorf("count what would be lost: %w", err)
		}
		if n != "0" {
			c.Lost = append(c.Lost, fmt.Sprintf("%s: %s %s", name, n, what))
		}
	}
	c.Stays = c.reversal.stays
	return c, nil
}

// cancelling reverses what was applied of the last migration.
func cancelling(ctx context.Context, r revisions, dir atlas.Dir) (*Cancellation, error) {
	report, err := r.compare(ctx, dir)
	if err == nil {
		err = report.Check()
	}
	if err != nil {
		return nil, err
	}
	all, err := dir.Files()
	if err != nil {
		return nil, err
	}
	at := len(report.Applied)
	if at >= len(all) || !Live(all[at]) {
		return nil, ErrNotBegun
	}
	c := &Cancellation{}
	half := all[at : at+1]
	if at > 0 && all[at-1].Desc()+liveSuffix == all[at].Desc() {
		half = all[at-1 : at+1]
	} else if report.Begun == "" {
		return nil, ErrNotBegun
	}
	var applied []string
	for _, file := range all[:at+1] {
		statements, err := driver{cut: r.database.cut()}.ScanStmts(string(file.Bytes()))
		if err != nil {
			return nil, err
		}
		if file == all[at] {
			if statements, err = begunOf(ctx, r, file, statements); err != nil {
				return nil, err
			}
		}
		mine := slices.Contains(half, file)
		for _, s := range statements {
			if mine {
				applied = append(applied, s.Text)
			} else {
				c.reversal.before = append(c.reversal.before, s.Text)
			}
		}
		if mine {
			c.Files, c.versions = append(c.Files, file.Name()), append(c.versions, file.Version())
		}
	}
	for _, text := range slices.Backward(applied) {
		if err := c.reversal.add(strings.TrimSuffix(strings.TrimSpace(text), ";")); err != nil {
			return nil, err
		}
	}
	return c, c.reversal.settle()
}

// begunOf are the statements of the file that were applied, and the one that may
// have been in part.
func begunOf(ctx context.Context, r revisions, file atlas.File, all []*atlas.Stmt) ([]*atlas.Stmt, error) {
	revision, err := r.ReadRevision(ctx, file.Version())
	if errors.Is(err, atlas.ErrRevisionNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return all[:min(revision.Applied+1, len(all))], nil
}

// Cancel takes the migration back that is half applied: triggers and new columns go,
// and what was before is there again. The database has then not had the migration,
// so that a program which has its files applies them anew when it starts.
func (r Runner) Cancel(ctx context.Context, db *store.DB, files fs.FS) error {
	dir, err := Dir(files, db.Dialect.Name())
	if err != nil {
		return err
	}
	if !of(db.Dialect).live() {
		return ErrNotBegun
	}
	conn, err := db.Session(ctx)
	if err != nil {
		return fmt.Errorf("cancel a migration: %w", err)
	}
	defer conn.Close()
	t := &target{Runner: r, conn: conn, db: db, dir: dir}
	if err := of(db.Dialect).reserve(ctx, t); err != nil {
		return err
	}
	c, err := cancelling(ctx, revisions{conn, of(db.Dialect)}, dir)
	if err != nil {
		return err
	}
	t.file = c.Files[0]
	for _, text := range c.reversal.first {
		if _, err := Steps(conn, db.Dialect).ExecContext(ctx, text); err != nil {
			return fmt.Errorf("cancel %s: %s: %w", strings.Join(c.Files, " and "), text, err)
		}
	}
	err = t.patiently(ctx, "what takes the migration back", longestPause, func(ctx context.Context) error { return t.cancel(ctx, c) })
	if err != nil {
		return fmt.Errorf("cancel %s: %w", strings.Join(c.Files, " and "), err)
	}
	if _, err := conn.ExecContext(ctx, "SET lock_timeout = 0"); err != nil {
		return err
	}
	for _, text := range c.reversal.indexes {
		if _, err := Steps(conn, db.Dialect).ExecContext(ctx, text); err != nil {
			return fmt.Errorf("the migration is taken back, but for this: %s: %w", text, err)
		}
	}
	return nil
}

// cancel is one transaction: what is taken back, and that it was.
func (t *target) cancel(ctx context.Context, c *Cancellation) error {
	tx, err := t.beginPatient(ctx, t.lockTimeout())
	if err != nil {
		return err
	}
	watched := Steps(tx, t.db.Dialect)
	for _, text := range slices.Concat(c.reversal.locks, c.reversal.run) {
		if _, err := watched.ExecContext(ctx, text); err != nil {
			return errors.Join(fmt.Errorf("%s: %w", text, err), tx.Rollback())
		}
	}
	for _, version := range c.versions {
		if err := t.revisions(tx).DeleteRevision(ctx, version); err != nil {
			return errors.Join(err, tx.Rollback())
		}
	}
	return tx.Commit()
}
