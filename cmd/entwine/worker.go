package main

import (
	"context"
	"errors"

	"github.com/entwine-go/entwine/kit/runtime/store"
)

func workerCommand() command {
	return command{
		name:    "worker",
		summary: "Do background work, and nothing else.",
		about: `Beside entwine serve with ENTWINE_WORKER=false, on any number of machines: they share
ENTWINE_DATABASE_URL and ENTWINE_REDIS_URL. No job is lost or done twice if one of them
is killed.

It stops on SIGTERM and Ctrl-C: what runs may finish, and the rest goes to others.`,
		lasts: true,
		run: func(ctx context.Context, p *process, args []string) error {
			if err := wants(args); err != nil {
				return err
			}
			if p.config.RedisURL == "" {
				return errors.New("ENTWINE_REDIS_URL is needed: it is how serve tells a worker what is due. Without one, serve does the work itself")
			}
			return p.observed(ctx, func(ctx context.Context) error {
				db, err := p.open(ctx)
				if err != nil {
					return err
				}
				return errors.Join(p.work(ctx, db), db.Close())
			})
		},
	}
}

// work brings the database up to date and does background work until ctx ends.
func (p *process) work(ctx context.Context, db *store.DB) error {
	if err := p.migrate(ctx, db); err != nil {
		return err
	}
	b, err := p.background(db)
	if err != nil {
		return err
	}
	p.began(ctx, "entwine works", db)
	p.tell("entwine works\n")
	return errors.Join(together(ctx, b.work, p.scrape, p.keep), b.Close())
}
