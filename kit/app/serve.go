package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"time"

	"github.com/entwine-go/entwine/kit/console"
	"github.com/entwine-go/entwine/kit/internal/telemetry"
	"github.com/entwine-go/entwine/kit/store"
)

func serveCommand() Command {
	return Command{
		Name:    "serve",
		Summary: "Serve both APIs, and do background work.",
		About: `With no setting at all it keeps its data in a SQLite file in ./data, makes a first
admin, says what to try, and prints the password once: on a terminal, else into the
file admin-password in ./data, which only its owner reads. With ENTWINE_DATABASE_URL it
is one of any number of processes over PostgreSQL. A SQLite file is served by one
process, unless ENTWINE_REDIS_URL names a Redis that several share. It does background work too, unless
ENTWINE_WORKER=false leaves that to $0 worker.

It stops on SIGTERM and Ctrl-C: it says so at /readyz, finishes what has begun, and
ends. On SIGHUP it starts the program anew, which may be another version by then,
hands the port on to it once it is ready, and ends without a request lost.`,
		Lasts: true,
		Run: func(ctx context.Context, p *Process, args []string) error {
			if err := Wants(args); err != nil {
				return err
			}
			if !p.Config.Worker && p.Config.RedisURL == "" && !p.Config.Rehearsal {
				return fmt.Errorf("ENTWINE_WORKER=false needs ENTWINE_REDIS_URL: without a Redis that %s worker shares, no process would run the jobs that serve accepts", p.service.Name)
			}
			if err := p.canListen(ctx); err != nil {
				return err
			}
			return p.observed(ctx, func(ctx context.Context) error {
				p.telemetry.Trails, p.serves = p.trails(), true
				if p.Config.Console && console.Built {
					p.telemetry.Pulse = &telemetry.Pulse{Now: time.Now}
				}
				db, err := p.openDB(ctx)
				if err != nil {
					return err
				}
				return errors.Join(p.serve(ctx, db), db.Close())
			})
		},
	}
}

// serve brings the database up to date and serves it until ctx ends.
func (p *Process) serve(ctx context.Context, db *store.DB) (err error) {
	if p.lock, err = p.alone(db); err != nil {
		return err
	}
	if p.lock != nil {
		defer p.lock.Close()
	}
	if err := p.migrate(ctx, db); err != nil {
		return err
	}
	h, err := p.open(db)
	if err != nil {
		return err
	}
	if err = h.start(ctx); err == nil {
		err = h.answer(ctx)
	}
	return errors.Join(err, h.Close())
}

// start does what comes before the first request.
func (h *Host) start(ctx context.Context) error {
	if h.parts.Start != nil {
		if err := h.parts.Start(ctx); err != nil {
			return err
		}
	}
	if h.Accounts == nil {
		return nil
	}
	if err := h.firstAdmin(ctx, h.DB); err != nil {
		return fmt.Errorf("make the first admin: %w", explained(err))
	}
	return h.warnOfPins(ctx)
}

// warnOfPins warns of API keys that are pinned to a version of REST that is not offered.
func (h *Host) warnOfPins(ctx context.Context) error {
	keys, err := h.Accounts.Keyring.Unserved(ctx)
	if err != nil || keys == 0 {
		return err
	}
	h.Log.WarnContext(ctx, "API keys are pinned to versions of REST that are not offered: their requests are refused unless they name one that is", "keys", keys, "offered", h.versions.Names())
	return nil
}

// answer serves the APIs, and does background work unless others do, until
// ctx ends.
func (h *Host) answer(ctx context.Context) error {
	l, err := h.listen(ctx)
	if err != nil {
		return err
	}
	server, err := h.server(h.url(l.Addr()))
	if err != nil {
		return errors.Join(err, l.Close())
	}
	asked := hearRestarts()
	h.announce(ctx, h.DB, l.Addr())
	if err := h.takeOver(ctx); err != nil {
		return errors.Join(err, l.Close())
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	parts := []func(context.Context) error{
		func(ctx context.Context) error { return server.Serve(ctx, l) },
		func(ctx context.Context) error { return h.handOver(ctx, asked, l, stop) },
		h.scrape, h.keep, h.look, h.tryRedis, h.Usage.Run, giveBack,
	}
	if h.Config.Console && console.Built {
		parts = append(parts, h.readiness.Remember)
	}
	switch {
	case h.Config.Rehearsal: // what is accepted stays
	case h.Config.Worker:
		parts = append(parts, h.work, h.dispose)
	default:
		parts = append(parts, h.sweep)
	}
	collectRarely()
	return errors.Join(together(ctx, parts...), h.lastUses(ctx))
}

// lastUses writes what was used since it was last written.
func (h *Host) lastUses(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	return h.Usage.Flush(ctx)
}

// canListen reports a port that is taken before there is a database and an admin. The
// port itself is taken when the process can answer: until then clients are refused,
// who would wait otherwise.
func (p *Process) canListen(ctx context.Context) error {
	if slices.Contains(p.Environ, successorMark+"=1") {
		return nil // it is handed on
	}
	l, err := p.bind(ctx)
	if err != nil {
		return err
	}
	return l.Close()
}

// listen takes the port: from the process before this one, if there is one.
func (p *Process) listen(ctx context.Context) (net.Listener, error) {
	l, err := p.inherited()
	if l != nil || err != nil {
		return l, err
	}
	return p.bind(ctx)
}

func (p *Process) bind(ctx context.Context) (net.Listener, error) {
	var config net.ListenConfig
	config.SetMultipathTCP(false) // with it the kernel takes no filter, by which the listener ends without a reset
	l, err := config.Listen(ctx, "tcp", p.Config.Addr)
	if err != nil {
		return nil, fmt.Errorf("%w: set ENTWINE_ADDR to another address", err)
	}
	return l, nil
}
