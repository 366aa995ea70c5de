package main

import (
	"context"
	"flag"
	"fmt"
	"github.com/entwine-go/entwine/kit/codegen/planner"
	"github.com/entwine-go/entwine/kit/runtime/migration"

	entmigrate "github.com/entwine-go/entwine/ent/migrate"
	"github.com/entwine-go/entwine/internal/entity"
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
			if err := migration.Up(ctx, db, migrate.Files); err != nil {
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
	return command{
		name:    "migrate status",
		summary: "List the migrations that the database has had and has not.",
		about:   "It fails where some are pending, so that a deployment can wait for them.",
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
			return p.report(r)
		},
	}
}

func (p *process) report(r migration.Report) error {
	for _, file := range r.Applied {
		fmt.Fprintln(p.stdout, "applied ", file)
	}
	for _, file := range r.Pending {
		fmt.Fprintln(p.stdout, "pending ", file)
	}
	for _, version := range r.Unknown {
		fmt.Fprintln(p.stdout, "unknown ", version, "(the database is newer than this program)")
	}
	if n := len(r.Pending); n > 0 {
		return fmt.Errorf("%d migrations are pending: entwine migrate up applies them", n)
	}
	return nil
}

func migrateDiffCommand() command {
	root := "migrate"
	return command{
		name:    "migrate diff",
		args:    "NAME",
		summary: "Write what has changed in the schema as migrations. Needs the source.",
		about:   "Both databases get a file. make migration NAME=add_supplier calls it after make generate.",
		flags: func(fs *flag.FlagSet) {
			fs.StringVar(&root, "dir", root, "the `folder` of the migrations.")
		},
		run: func(ctx context.Context, p *process, args []string) error {
			if err := wants(args, "NAME"); err != nil {
				return err
			}
			written, err := planner.Diff(ctx, root, args[0], wanted())
			for _, file := range written {
				fmt.Fprintln(p.stdout, "wrote", file)
			}
			if err == nil && len(written) == 0 {
				fmt.Fprintln(p.stdout, "the migrations say everything that the schema does")
			}
			return err
		},
	}
}

func migrateLintCommand() command {
	root, since := "migrate", ""
	return command{
		name:    "migrate lint",
		summary: "Fail where a migration may lose data or fail on a table with rows. Needs the source.",
		about: "A finding that is meant is accepted by a line at the top of its file, with an empty line after it:\n" +
			"-- atlas:nolint DS103",
		flags: func(fs *flag.FlagSet) {
			fs.StringVar(&root, "dir", root, "the `folder` of the migrations.")
			fs.StringVar(&since, "since", since, "pass over files up to this `version`.")
		},
		run: func(ctx context.Context, p *process, args []string) error {
			if err := wants(args); err != nil {
				return err
			}
			found, err := planner.Lint(ctx, root, since)
			for _, f := range found {
				fmt.Fprintln(p.stdout, f)
			}
			if err == nil && len(found) > 0 {
				return fmt.Errorf("%d findings in the migrations", len(found))
			}
			return err
		},
	}
}

// wanted is what the databases should look like: Ent's tables, and the
// triggers that the schemas ask for.
func wanted() planner.Schema {
	s := planner.Schema{Tables: entmigrate.Tables, Objects: map[string][]planner.Object{}}
	for name, objects := range entity.Objects {
		for _, o := range objects {
			s.Objects[name] = append(s.Objects[name], planner.Object(o))
		}
	}
	return s
}
