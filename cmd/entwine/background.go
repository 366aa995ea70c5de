package main

import (
	"context"
	"errors"
	"fmt"
	"net/mail"
	"strings"
	"sync"

	"github.com/redis/go-redis/v9"

	"github.com/entwine-go/entwine/internal/account"
	"github.com/entwine-go/entwine/internal/checkout"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/internal/invoicing"
	"github.com/entwine-go/entwine/internal/mailing"
	"github.com/entwine-go/entwine/internal/reporting"
	"github.com/entwine-go/entwine/kit/events"
	"github.com/entwine-go/entwine/kit/jobs"
	mailer "github.com/entwine-go/entwine/kit/mail"
	"github.com/entwine-go/entwine/kit/payments"
	"github.com/entwine-go/entwine/kit/runtime/config"
	"github.com/entwine-go/entwine/kit/runtime/pubsub"
	"github.com/entwine-go/entwine/kit/runtime/ratelimit"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/worker"
)

// background is what a process has beside its APIs: how it hears of what
// others wrote, and how work is done after the answer.
type background struct {
	p         *process
	db        *store.DB
	transport *jobs.Transport
	bus       pubsub.Bus
	jobs      *jobs.Client
	reporter  *reporting.Reporter
	postman   *mailing.Postman
	cashier   *checkout.Cashier
	events    *events.Tailer
	limiter   ratelimit.Limiter
	closers   []func() error
}

// background opens what works behind the APIs; the caller closes it.
func (p *process) background(db *store.DB) (*background, error) {
	b := &background{p: p, db: db, transport: jobs.Embed(), bus: new(pubsub.Memory), limiter: new(ratelimit.Memory)}
	if address := p.config.RedisURL; address != "" {
		redis.SetLogger(redisLog{p})
		transport, err := jobs.Dial(address)
		if err != nil {
			return nil, err
		}
		b.transport, b.bus = transport, pubsub.NewRedis(transport.Client, p.log)
		counters, err := ratelimit.Dial(address)
		if err != nil {
			return nil, err
		}
		b.limiter = &ratelimit.Shared{Redis: counters, Memory: new(ratelimit.Memory), Log: p.log}
		b.closers = append(b.closers, counters.Client.Close)
	}
	db.OnWrite(func() { b.bus.Wake(events.Topic) })
	db.OnWake(func(topic string) { b.bus.Wake(topic) })
	b.jobs = &jobs.Client{DB: db, Bell: jobs.NewBell(b.transport), Bus: b.bus, Log: p.log, Rules: entity.Job.Rules}
	b.reporter = &reporting.Reporter{DB: db, Jobs: b.jobs}
	b.postman = &mailing.Postman{Jobs: b.jobs}
	sandbox := &payments.Sandbox{DB: db}
	b.cashier = &checkout.Cashier{DB: db, Gateway: sandbox, Jobs: b.jobs, Log: p.log, Settle: p.config.Settle, Invoices: &invoicing.Issuer{DB: db, Seller: p.seller()}}
	sandbox.Notify = func(ctx context.Context, key string) {
		if err := b.cashier.Hear(ctx, key); err != nil {
			p.log.WarnContext(ctx, "news of a payment could not be used: the answer will come", "key", key, "err", err)
		}
	}
	b.events = events.NewTailer(db, b.bus, p.log)
	b.limiter = p.telemetry.Limiter(b.limiter)
	if p.telemetry.On() {
		b.jobs.Traceparent = p.telemetry.Work().Traceparent
		b.watch()
	}
	return b, nil
}

// redisLog is where the client of Redis complains that it is away. Those who
// need it say so themselves, once.
type redisLog struct{ *process }

// Printf takes a complaint.
func (l redisLog) Printf(ctx context.Context, format string, args ...any) {
	l.log.DebugContext(ctx, "redis client", "message", fmt.Sprintf(format, args...))
}

// Close ends what background opened.
func (b *background) Close() error {
	b.events.Close()
	err := errors.Join(b.bus.Close(), b.transport.Close())
	for _, end := range b.closers {
		err = errors.Join(err, end())
	}
	return err
}

// sweep rings for jobs that were not heard, until ctx ends.
func (b *background) sweep(ctx context.Context) error {
	(&jobs.Sweeper{DB: b.db, Bell: b.jobs.Bell, Log: b.p.log}).Run(ctx)
	return nil
}

// work does jobs until ctx ends, and then lets those that are running finish
// for as long as requests may. It sweeps, too: what it can't be told of, it
// finds.
func (b *background) work(ctx context.Context) error {
	deps, err := b.deps()
	if err != nil {
		return err
	}
	runner := jobs.NewRunner(b.db, b.bus, b.p.log, worker.Kinds(deps)...)
	if b.p.telemetry.On() {
		runner.Observer = b.p.telemetry.Work()
	}
	server, err := jobs.Start(jobs.ServerConfig{
		Transport: b.transport,
		Runner:    runner,
		Client:    b.jobs,
		Schedule:  worker.Schedule(),
		Log:       b.p.log,
	})
	if err != nil {
		return err
	}
	var sweeping sync.WaitGroup
	sweeping.Go(func() { (&jobs.Sweeper{DB: b.db, Bell: b.jobs.Bell, Log: b.p.log, Runner: runner}).Run(ctx) })
	<-ctx.Done()
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), b.p.config.Limit.Shutdown)
	defer cancel()
	server.Stop(end)
	sweeping.Wait()
	return nil
}

// deps returns what the work needs.
func (b *background) deps() (worker.Deps, error) {
	sender, err := b.p.sender(b.db)
	if err != nil {
		return worker.Deps{}, err
	}
	authenticator, err := b.p.authenticator(b.db)
	if err != nil {
		return worker.Deps{}, err
	}
	return worker.Deps{
		DB: b.db, Mail: sender, Redact: b.p.config.Env == config.Production || b.p.config.Mail.URL != "",
		Resetter: b.resetter(authenticator, sender), Addresses: b.addresses(authenticator, sender), Cashier: b.cashier, Log: b.p.log,
	}, nil
}

// resetter returns what gives people who forgot their password another.
func (b *background) resetter(a *account.Authenticator, sender mailer.Sender) *account.Resetter {
	return &account.Resetter{
		DB: b.db, Passwords: a.Passwords, Throttle: a.Throttle, Gate: a.Gate,
		Ask: worker.AskForReset(b.jobs), Mail: sender, Page: b.p.config.Mail.ResetURL,
	}
}

// addresses returns what looks after users' e-mail addresses, and tells them.
func (b *background) addresses(a *account.Authenticator, sender mailer.Sender) *account.Addresses {
	addresses := b.p.addresses(b.db, a)
	addresses.Tell, addresses.Mail = worker.Notify(b.jobs), sender
	return addresses
}

// seller is what invoices say of who sells.
func (p *process) seller() invoicing.Seller {
	s := invoicing.Seller{Name: p.config.Seller.Name, TaxID: p.config.Seller.TaxID, Email: p.config.Seller.Email}
	for line := range strings.SplitSeq(p.config.Seller.Address, ";") {
		if line = strings.TrimSpace(line); line != "" {
			s.Address = append(s.Address, line)
		}
	}
	return s
}

// sender returns what sends mail: a server where one is set, else the
// mailbox in the database.
func (p *process) sender(db *store.DB) (mailer.Sender, error) {
	if url := p.config.Mail.URL; url != "" {
		return mailer.ParseURL(url, p.config.Mail.From)
	}
	from, err := mail.ParseAddress(p.config.Mail.From)
	if err != nil {
		return nil, err
	}
	return &mailer.Mailbox{DB: db, From: *from, Redact: p.config.Env == config.Production}, nil
}
