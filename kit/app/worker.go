package app

import (
	"context"
	"errors"

	"github.com/entwine-go/entwine/kit/store"
)

func workerCommand() Command {
	return Command{
		Name:    "worker",
		Summary: "Do background work, and nothing else.",
		About: `Beside $0 serve with ENTWINE_WORKER=false, on any number of machines: they share
ENTWINE_DATABASE_URL and ENTWINE_REDIS_URL. No job is lost or done twice if one of them
is killed.

With ENTWINE_WORKER_ADDR it says at /healthz and /readyz how it is.

It stops on SIGTERM and Ctrl-C: running jobs may finish, and the rest goes to other workers.`,
		Lasts: true,
		Run: func(ctx context.Context, p *Process, args []string) error {
			if err := Wants(args); err != nil {
				return err
			}
			if p.Config.RedisURL == "" {
				return errors.New("ENTWINE_REDIS_URL is needed: serve sends due jobs to a worker through it. Without one, serve does the work itself")
			}
			return p.observed(ctx, func(ctx context.Context) error {
				db, err := p.openDB(ctx)
				if err != nil {
					return err
				}
				return errors.Join(p.work(ctx, db), db.Close())
			})
		},
	}
}

// work brings the database up to date and does background work until ctx ends.
func (p *Process) work(ctx context.Context, db *store.DB) error {
	if err := p.migrate(ctx, db); err != nil {
		return err
	}
	h, err := p.open(db)
	if err != nil {
		return err
	}
	end, err := h.tellHealth(ctx)
	if err != nil {
		return errors.Join(err, h.Close())
	}
	defer end()
	p.began(ctx, p.service.Name+" works", db)
	p.tell("%s works\n", p.service.Name)
	return errors.Join(together(ctx, h.work, h.dispose, h.look, h.tryRedis, p.scrape, p.keep, giveBack), h.Close())
}
