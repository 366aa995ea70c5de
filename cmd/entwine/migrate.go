package main

import (
	"context"
	"fmt"

	"github.com/entwine-go/entwine/kit/runtime/migration"

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
			if err := migration.Up(p.watched(ctx), db, migrate.Files); err != nil {
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
		about:   "It fails where some are pending, so that a deployment can wait for them, and where\nthe database is newer than this program or one was applied in part.",
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
