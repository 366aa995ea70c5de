package app

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/entwine-go/entwine/kit/config"
	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/store"
)

func migrateUpCommand() Command {
	return Command{
		Name:    "migrate up",
		Summary: "Apply the migrations that the database has not had.",
		About:   "The other commands do so too when they start, unless ENTWINE_MIGRATE is false.",
		Run: func(ctx context.Context, p *Process, args []string) error {
			return p.onMigrations(ctx, args, func(db *store.DB, before migration.Report) error {
				if err := p.up(ctx, db); err != nil {
					return err
				}
				for _, file := range before.Pending {
					fmt.Fprintln(p.Stdout, "applied", file)
				}
				return nil
			})
		},
	}
}

func migrateStatusCommand() Command {
	all := false
	return Command{
		Name:    "migrate status",
		Summary: "List the migrations of the database: applied ones, and pending ones with their effects.",
		About: `
What is pending is told in words, with the locks that it takes, for how long, and what others can't do
meanwhile: "instant" takes the same time whatever rows there are, "scan" reads them all, "rewrite" writes
them all. A backfill that is under way says how far it is. What earlier ones have left for programs from
before them is "owed".

It fails where some are pending, so that a deployment can wait for them, and where the database is newer
than this program or one was applied in part.`,
		Flags: func(fs *flag.FlagSet) {
			fs.BoolVar(&all, "all", false, "describe applied migrations, too.")
		},
		Run: func(ctx context.Context, p *Process, args []string) error {
			return p.onMigrations(ctx, args, func(db *store.DB, r migration.Report) error {
				if err := p.listMigrations(ctx, db, all); err != nil {
					return err
				}
				if digest, err := migration.Developed(ctx, db); err != nil {
					return err
				} else if digest != "" {
					fmt.Fprintln(p.Stdout, "and weave dev has brought the database to a schema that no migration leads to yet")
				}
				if err := p.owes(ctx, db); err != nil {
					return err
				}
				return p.report(r)
			})
		},
	}
}

func migrateAtlasCommand() Command {
	return Command{
		Name:    "migrate atlas",
		Summary: "Let Atlas' command line see the applied migrations.",
		About: `
Makes the table atlas_schema_revisions and writes into it what the database has had. From then on migrations
are written there with what they do, and this says the truth of a folder of migrations:

    atlas migrate status --url "postgres://…?search_path=public" --dir file://migrate/postgres

Atlas itself is to apply none of them: it does not know what fills columns and folds texts. A table that has
migrations of another program is refused.`,
		Run: func(ctx context.Context, p *Process, args []string) error {
			return p.onMigrations(ctx, args, func(db *store.DB, _ migration.Report) error {
				return migration.KeepAtlas(ctx, db)
			})
		},
	}
}

func migrateCancelCommand() Command {
	yes := false
	return Command{
		Name:    "migrate cancel",
		Summary: "Take a migration back that is half applied.",
		About: `
A migration of PostgreSQL is two files, the second of which is applied statement by statement. While that one
has not ended, as when rows do not allow it, programs of the version before run on, and the migration can be
taken back: triggers, new columns and tables go, and what was before is there again. What would be lost is
counted first, and nothing is changed without --yes. A program that has the files applies them anew when it
starts. What has ended stays: it is mended by another migration.`,
		Flags: func(fs *flag.FlagSet) {
			fs.BoolVar(&yes, "yes", false, "take it back, with the values that were counted.")
		},
		Run: func(ctx context.Context, p *Process, args []string) error {
			return p.onMigrations(ctx, args, func(db *store.DB, _ migration.Report) error {
				c, err := migration.Cancelling(ctx, db, p.service.Migrations)
				if err != nil {
					return err
				}
				for _, line := range c.Lost {
					fmt.Fprintln(p.Stdout, "lost    ", line)
				}
				for _, column := range c.Stays {
					fmt.Fprintln(p.Stdout, "stays   ", column+": what rows without a value were given")
				}
				if !yes {
					return fmt.Errorf("nothing was changed: --yes takes %s back", strings.Join(c.Files, " and "))
				}
				if err := p.runner().Cancel(p.watched(ctx), db, p.service.Migrations); err != nil {
					return err
				}
				fmt.Fprintln(p.Stdout, "took back", strings.Join(c.Files, " and "))
				return nil
			})
		},
	}
}

// owes lists what migrations have left for programs from before them.
func (p *Process) owes(ctx context.Context, db *store.DB) error {
	owed, err := migration.OwedOf(ctx, db)
	for _, o := range owed {
		fmt.Fprintf(p.Stdout, "owed     %s: %s for programs from before a migration: weave migrate contract NAME ends it, in a release after theirs\n", o.Table, o.Trigger)
	}
	return err
}

// onMigrations calls do, of a command without arguments, with the database and
// what it has had.
func (p *Process) onMigrations(ctx context.Context, args []string, do func(*store.DB, migration.Report) error) error {
	if err := Wants(args); err != nil {
		return err
	}
	db, err := p.openDB(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	r, err := migration.Status(ctx, db, p.service.Migrations)
	if err != nil {
		return err
	}
	return do(db, r)
}

// listMigrations lists the migrations of this program, and what they do.
func (p *Process) listMigrations(ctx context.Context, db *store.DB, all bool) error {
	dir, err := migration.Dir(p.service.Migrations, db.Dialect.Name())
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
			fmt.Fprintln(p.Stdout, "applied ", l.Name)
		case l.Done > 0 || l.Rows > 0:
			fmt.Fprintf(p.Stdout, "begun    %s: %d of %d statements%s; %s migrate up goes on\n", l.Name, l.Done, l.Total, passed(l), p.service.Name)
		default:
			fmt.Fprintf(p.Stdout, "pending  %s: stops writes: %s\n", l.Name, l.Longest())
		}
		if l.Applied && !all {
			continue
		}
		for _, e := range l.Effects {
			fmt.Fprintln(p.Stdout, "          ", e)
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
func (p *Process) runner() migration.Runner {
	return migration.Runner{
		LockTimeout: p.Config.Database.MigrateLockTimeout,
		LockWait:    p.Config.Database.MigrateLockWait,
		Notice: func(n migration.Notice) {
			statement, _, _ := strings.Cut(n.Statement, "\n")
			if n.Waits == 0 {
				p.Log.Info("a backfill goes on", "file", n.File, "statement", statement, "rows", n.Rows, "of", n.Of)
				return
			}
			var holders []any
			for _, h := range n.Holders {
				holders = append(holders, h.String())
			}
			p.Log.Warn("a migration waits for a lock", "file", n.File, "statement", statement, "waits", n.Waits, "holders", holders)
		},
	}
}

// report says what of the database this program does not know, and fails where
// it is not what the program needs.
func (p *Process) report(r migration.Report) error {
	for _, version := range r.Unknown {
		fmt.Fprintln(p.Stdout, "unknown ", version, "(the database is newer than this program)")
	}
	for _, version := range r.Half {
		fmt.Fprintln(p.Stdout, "half    ", version, "(a part of it was applied)")
	}
	return p.refuse(r)
}

// refuse fails where the database is not what the program needs.
func (p *Process) refuse(r migration.Report) error {
	if err := r.Check(); err != nil {
		return err
	}
	if n := len(r.Pending); n > 0 {
		return fmt.Errorf("%d migrations are pending: run %s migrate up, or set ENTWINE_MIGRATE=true", n, p.service.Name)
	}
	return nil
}

// migrate applies pending migrations, or refuses to start with them. It refuses a
// database that this program does not understand, and a schema to which its
// migrations do not lead, unless weave dev has brought the database to it.
func (p *Process) migrate(ctx context.Context, db *store.DB) error {
	if developed, err := p.developed(ctx, db); developed || err != nil {
		return err
	}
	if p.Config.Database.Migrate {
		return p.up(ctx, db)
	}
	return p.accept(ctx, db)
}

// up applies the migrations, once the address that they have past a pooler leads to a
// server.
func (p *Process) up(ctx context.Context, db *store.DB) error {
	if p.Config.Database.DirectURL != "" {
		err := p.reach(ctx, "ENTWINE_DATABASE_DIRECT_URL", func(ctx context.Context) error {
			conn, err := db.Session(ctx)
			if err == nil {
				err = conn.Close()
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return p.runner().Up(p.watched(ctx), db, p.service.Migrations)
}

// accept fails where the database, which has come into the place of another, is not
// what the program needs. It migrates nothing: that is for the next start.
func (p *Process) accept(ctx context.Context, db *store.DB) error {
	if developed, err := p.developed(ctx, db); developed || err != nil {
		return err
	}
	r, err := migration.Status(ctx, db, p.service.Migrations)
	if err != nil {
		return err
	}
	return p.refuse(r)
}

// developed reports whether weave dev has brought the database to the program's schema.
// It fails where the migrations do not lead to that either.
func (p *Process) developed(ctx context.Context, db *store.DB) (bool, error) {
	err := p.matches(db)
	if err == nil || p.Config.Env == config.Production {
		return false, err
	}
	digest, readErr := migration.Developed(ctx, db)
	switch {
	case readErr != nil || digest == "":
		return false, errors.Join(err, readErr)
	case digest != p.service.Digest:
		return false, fmt.Errorf("this program was built from another schema than the one that weave dev has brought the database to: "+
			"run %s, the program that weave dev has built for it", filepath.Join(p.Config.DataDir, "dev", p.service.Name))
	}
	return true, nil
}

// watched logs the statements of migrations, so that an operator sees whether one
// works or waits for a lock.
func (p *Process) watched(ctx context.Context) context.Context {
	return migration.Watch(ctx, func(statement string) {
		first, _, _ := strings.Cut(statement, "\n")
		p.Log.Debug("a statement of a migration begins", "statement", first)
	})
}

// matches returns an error where the migrations do not lead to the schema.
func (p *Process) matches(db *store.DB) error {
	if p.service.Digest == "" {
		return nil
	}
	return migration.Matches(p.service.Migrations, p.service.Digest, db.Dialect.Name())
}
