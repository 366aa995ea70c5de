package main

import (
	"context"
	"flag"
	"fmt"
	"strings"

	"github.com/entwine-go/entwine/kit/runtime/migration"
	"github.com/entwine-go/entwine/kit/runtime/store"

	"github.com/entwine-go/entwine/migrate"
)

func migrateUpCommand() command {
	return command{
		name:    "migrate up",
		summary: "Apply the migrations that the database has not had.",
		about:   "The other commands do so too when they start, unless ENTWINE_MIGRATE is false.",
		run: func(ctx context.Context, p *process, args []string) error {
			if err := wants(args); err != nil {
				return err
			}
			db, err := p.open(ctx)
			if err != nil {
				return err
			}
			defer db.Close()
			before, err := migration.Status(ctx, db, migrate.Files)
			if err != nil {
				return err
			}
			if err := p.runner().Up(p.watched(ctx), db, migrate.Files); err != nil {
				return err
			}
			for _, file := range before.Pending {
				fmt.Fprintln(p.stdout, "applied", file)
			}
			return nil
		},
	}
}

func migrateStatusCommand() command {
	all := false
	return command{
		name:    "migrate status",
		summary: "List the migrations that the database has had and has not, and what those will do.",
		about: `
What is pending is told in words, with the locks that it takes, for how long, and what others can't do
meanwhile: "instant" takes the same time whatever rows there are, "scan" reads them all, "rewrite" writes
them all. A backfill that is under way says how far it is.

It fails where some are pending, so that a deployment can wait for them, and where the database is newer
than this program or one was applied in part.`,
		flags: func(fs *flag.FlagSet) {
			fs.BoolVar(&all, "all", false, "tell also what those did that the database has had.")
		},
		run: func(ctx context.Context, p *process, args []string) error {
			if err := wants(args); err != nil {
				return err
			}
			db, err := p.open(ctx)
			if err != nil {
				return err
			}
			defer db.Close()
			r, err := migration.Status(ctx, db, migrate.Files)
			if err != nil {
				return err
			}
			if err := p.listMigrations(ctx, db, all); err != nil {
				return err
			}
			return p.report(r)
		},
	}
}

// listMigrations lists the migrations of this program, and what they do.
func (p *process) listMigrations(ctx context.Context, db *store.DB, all bool) error {
	dir, err := migration.Dir(migrate.Files, db.Dialect)
	if err != nil {
		return err
	}
	listed, err := migration.List(ctx, db, dir)
	if err != nil {
		return err
	}
	for _, l := range listed {
		switch {
		case l.Applied:
			fmt.Fprintln(p.stdout, "applied ", l.Name)
		case l.Done > 0 || l.Rows > 0:
			fmt.Fprintf(p.stdout, "begun    %s: %d of %d statements%s; entwine migrate up goes on\n", l.Name, l.Done, l.Total, passed(l))
		default:
			fmt.Fprintf(p.stdout, "pending  %s: stops writes: %s\n", l.Name, l.Longest())
		}
		if l.Applied && !all {
			continue
		}
		for _, e := range l.Effects {
			fmt.Fprintln(p.stdout, "          ", e)
		}
	}
	return nil
}

func passed(l migration.Listed) string {
	if l.Rows == 0 {
		return ""
	}
	return fmt.Sprintf(", and %d of about %d rows of the next one", l.Rows, l.Of)
}

// runner applies migrations, and logs what they wait for.
func (p *process) runner() migration.Runner {
	return migration.Runner{
		LockTimeout: p.config.Database.MigrateLockTimeout,
		LockWait:    p.config.Database.MigrateLockWait,
		Notice: func(n migration.Notice) {
			statement, _, _ := strings.Cut(n.Statement, "\n")
			if n.Waits == 0 {
				p.log.Info("a backfill goes on", "file", n.File, "statement", statement, "rows", n.Rows, "of", n.Of)
				return
			}
			var holders []any
			for _, h := range n.Holders {
				holders = append(holders, h.String())
			}
			p.log.Warn("a migration waits for a lock", "file", n.File, "statement", statement, "waits", n.Waits, "holders", holders)
		},
	}
}

// report says what of the database this program does not know, and fails where
// it is not what the program needs.
func (p *process) report(r migration.Report) error {
	for _, version := range r.Unknown {
		fmt.Fprintln(p.stdout, "unknown ", version, "(the database is newer than this program)")
	}
	for _, version := range r.Half {
		fmt.Fprintln(p.stdout, "half    ", version, "(a part of it was applied)")
	}
	if err := r.Check(); err != nil {
		return err
	}
	if n := len(r.Pending); n > 0 {
		return fmt.Errorf("%d migrations are pending: entwine migrate up applies them", n)
	}
	return nil
}
