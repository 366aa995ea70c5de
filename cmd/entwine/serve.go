package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/gql"
	"github.com/entwine-go/entwine/internal/writes"
	"github.com/entwine-go/entwine/kit/payments"
	"github.com/entwine-go/entwine/kit/runtime/config"
	"github.com/entwine-go/entwine/kit/runtime/documents"
	"github.com/entwine-go/entwine/kit/runtime/graph"
	"github.com/entwine-go/entwine/kit/runtime/graph/graphiql"
	"github.com/entwine-go/entwine/kit/runtime/graph/wire"
	"github.com/entwine-go/entwine/kit/runtime/idempotency"
	"github.com/entwine-go/entwine/kit/runtime/migration"
	"github.com/entwine-go/entwine/kit/runtime/ratelimit"
	"github.com/entwine-go/entwine/kit/runtime/resource/announce"
	"github.com/entwine-go/entwine/kit/runtime/resource/convention"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/kit/runtime/web"
	"github.com/entwine-go/entwine/migrate"
	"github.com/entwine-go/entwine/rest"
	"github.com/entwine-go/entwine/schema"
)

func serveCommand() command {
	return command{
		name:    "serve",
		summary: "Serve both APIs, and do background work.",
		about: `With no setting at all it keeps its data in a SQLite file in ./data, makes a first
admin, says what to try, and prints the password once: on a terminal, else into the
file admin-password in ./data, which only its owner reads. With ENTWINE_DATABASE_URL it
is one of any number of processes over PostgreSQL. A SQLite file is served by one
process, unless ENTWINE_REDIS_URL names a Redis that several share. It does background work too, unless
ENTWINE_WORKER=false leaves that to entwine worker.

It stops on SIGTERM and Ctrl-C: it says so at /readyz, finishes what has begun, and
ends. On SIGHUP it starts the program anew, which may be another version by then,
hands the port on to it once it is ready, and ends without a request lost.`,
		lasts: true,
		run: func(ctx context.Context, p *process, args []string) error {
			if err := wants(args); err != nil {
				return err
			}
			if !p.config.Worker && p.config.RedisURL == "" {
				return errors.New("ENTWINE_WORKER=false needs ENTWINE_REDIS_URL: without a Redis that entwine worker shares, nobody would do what serve accepts")
			}
			return p.observed(ctx, func(ctx context.Context) error {
				db, err := p.open(ctx)
				if err != nil {
					return err
				}
				return errors.Join(p.serve(ctx, db), db.Close())
			})
		},
	}
}

// serve brings the database up to date and serves it until ctx ends.
func (p *process) serve(ctx context.Context, db *store.DB) (err error) {
	if p.lock, err = p.alone(db); err != nil {
		return err
	}
	if p.lock != nil {
		defer p.lock.Close()
	}
	if err := p.migrate(ctx, db); err != nil {
		return err
	}
	if err := p.firstAdmin(ctx, db); err != nil {
		return fmt.Errorf("make the first admin: %w", explain(err))
	}
	b, err := p.background(db)
	if err != nil {
		return err
	}
	return errors.Join(p.answer(ctx, b), b.Close())
}

// answer serves the APIs, and does background work unless others do, until
// ctx ends.
func (p *process) answer(ctx context.Context, b *background) error {
	l, err := p.listen(ctx)
	if err != nil {
		return err
	}
	server, err := p.server(b, p.url(l.Addr()))
	if err != nil {
		return errors.Join(err, l.Close())
	}
	asked := hearRestarts()
	p.announce(ctx, b.db, l.Addr())
	if err := p.takeOver(ctx); err != nil {
		return errors.Join(err, l.Close())
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	parts := []func(context.Context) error{
		func(ctx context.Context) error { return server.Serve(ctx, l) },
		func(ctx context.Context) error { return p.handOver(ctx, asked, l, stop) },
		p.scrape, p.keep,
	}
	if p.config.Worker {
		parts = append(parts, b.work)
	} else {
		parts = append(parts, b.sweep)
	}
	collectRarely()
	return together(ctx, parts...)
}

// listen takes the port: from the process before this one, if there is one.
func (p *process) listen(ctx context.Context) (net.Listener, error) {
	l, err := p.inherited()
	if l != nil || err != nil {
		return l, err
	}
	l, err = new(net.ListenConfig).Listen(ctx, "tcp", p.config.Addr)
	if err != nil {
		return nil, fmt.Errorf("%w: set ENTWINE_ADDR to another address", err)
	}
	return l, nil
}

// migrate applies pending migrations, or refuses to go on with them, with a
// database that this program does not understand, or with a schema to which its
// migrations do not lead.
func (p *process) migrate(ctx context.Context, db *store.DB) error {
	if err := migration.Matches(migrate.Files, orm.Digest); err != nil {
		return err
	}
	if p.config.Database.Migrate {
		return p.runner().Up(p.watched(ctx), db, migrate.Files)
	}
	r, err := migration.Status(ctx, db, migrate.Files)
	if err != nil {
		return err
	}
	if err := r.Check(); err != nil {
		return err
	}
	if n := len(r.Pending); n > 0 {
		return fmt.Errorf("%d migrations are pending: run entwine migrate up, or set ENTWINE_MIGRATE=true", n)
	}
	return nil
}

// watched has the statements of migrations logged, so that one which takes long
// can be told from one which waits.
func (p *process) watched(ctx context.Context) context.Context {
	return migration.Watch(ctx, func(statement string) {
		first, _, _ := strings.Cut(statement, "\n")
		p.log.Debug("a statement of a migration begins", "statement", first)
	})
}

// server puts together what answers requests, which clients send to url.
func (p *process) server(b *background, url string) (*web.Server, error) {
	db := b.db
	for _, id := range p.config.KeyRequired {
		if !rest.Keyed(id) {
			return nil, fmt.Errorf("ENTWINE_IDEMPOTENCY_KEY_REQUIRED: there is no operation %s that takes a key", id)
		}
	}
	versions, err := rest.NewVersions(p.config.API.Versions, p.config.API.Default)
	if err != nil {
		return nil, fmt.Errorf("ENTWINE_API_VERSIONS: %w", err)
	}
	authenticator, err := p.authenticator(db)
	if err != nil {
		return nil, err
	}
	sender, err := p.sender(db)
	if err != nil {
		return nil, err
	}
	front, err := p.front(versions)
	if err != nil {
		return nil, err
	}
	accounts := p.accounts(db, b.bus, authenticator, b.resetter(authenticator, sender), b.addresses(authenticator, sender), b.limiter)
	edge := &web.Edge{
		Log: p.log, Unlogged: 100 - p.config.Log.Requests,
		Errors:  front.Errors(writeError(versions)),
		Auth:    accounts.Verifier,
		Service: schema.Service(),
		Limit:   p.config.Limit,
		Webhook: p.config.PaymentWebhookSecret != "",
		Proxies: p.config.TrustedProxies,
		Origins: origins(p.config), LocalOrigins: p.config.Env != config.Production,
		Limiter: b.limiter, Rate: front.Rate(ratelimit.Rate(p.config.Limit.Rate)),
	}
	if most := p.config.Limit.InFlight; most > 0 {
		edge.Gate = &web.Gate{Least: max(1, most/16), Most: most, Wait: 100 * time.Millisecond}
	}
	var explorer http.Handler
	var explorerPath string
	if p.config.GraphQL.Explorer() {
		explorer, explorerPath = graphiql.Handler(), web.ExplorerPath
	}
	health := p.health(b, edge.Gate)
	stall := &web.Stall{Time: p.config.Limit.StallTime, Most: p.config.Limit.Stalled, Proxies: p.config.TrustedProxies}
	keeper := &idempotency.Keeper{DB: db, Limits: idempotency.Limits(p.config.Keys)}
	engine := writes.Engine(db, accounts, writes.Activities{Cashier: b.cashier, Jobs: b.jobs, Reporter: b.reporter, Postman: b.postman})
	api := gql.Config{
		Options: graph.Options{
			Logger: p.log, Events: b.events, Auth: accounts.Verifier,
			RequestTime: p.config.Limit.RequestTime, Connections: p.config.Limit.Connections, HideSchema: !p.config.GraphQL.Introspection,
			Documents: &documents.Registry{DB: db}, TrustedOnly: p.config.GraphQL.TrustedOnly, Explorer: explorerPath,
		},
		DB: db, Engine: engine, Accounts: accounts, SecureCookies: p.config.Env == config.Production, Cashier: b.cashier, Keeper: keeper,
	}
	if p.telemetry.On() {
		edge.Observer, api.Observer = p.telemetry.Requests(), p.telemetry.Operations()
	}
	graphql := gql.New(api)
	b.watchAPIs(edge.Gate, stall, graphql)
	site := web.Site{
		Edge:     edge,
		Health:   health,
		Explorer: explorer,
		Start:    p.page(url),
		REST: rest.New(rest.Config{
			DB: db, Log: p.log, Engine: engine, Versions: versions, Accounts: accounts, SecureCookies: p.config.Env == config.Production,
			KeyRequired: p.config.KeyRequired, Keeper: keeper, Webhook: payments.Webhook{Secret: p.config.PaymentWebhookSecret},
			Work: b.jobs, Cashier: b.cashier, Lifecycle: front.Plan,
		}),
		GraphQL: graphql,
		Keys:    web.KeySet(accounts.Gate.Issuer.Keys.Published()),
	}
	server := &web.Server{
		Handler: site.Handler(), Refusal: edge.Refusal, Health: health, Log: p.log, Stall: stall,
		Streams: graphql.Drain, Shutdown: p.config.Limit.Shutdown,
	}
	if p.config.Env == config.Production {
		server.Drain = 600 * time.Millisecond // for load balancers to notice
	}
	return server, nil
}

// writeError returns what writes errors in the form of the API that the request is for.
func writeError(versions *convention.Versions) func(http.ResponseWriter, *http.Request, error) {
	write := rest.ErrorWriter(versions)
	return func(w http.ResponseWriter, r *http.Request, err error) {
		if r.URL.Path == web.GraphQLPath {
			wire.WriteError(w, r, err)
			return
		}
		write(w, r, err)
	}
}

// front returns what the edge knows of the versions of REST, and logs where
// those stand that something is planned for.
func (p *process) front(versions *convention.Versions) (announce.Front, error) {
	plan := &p.config.Lifecycle
	front, err := rest.Front(plan, versions)
	if err != nil {
		return front, fmt.Errorf("ENTWINE_API_LIFECYCLE: %w", err)
	}
	at := plan.At()
	for _, v := range plan.Versions {
		p.log.Info("version of the API", "api_version", "v"+v.Major, "state", v.State(at), "rate_limit_percent", v.Share(at), "deprecated", v.Deprecated, "sunset", v.Sunset)
	}
	return front, nil
}

// health returns what says at /readyz how the process is.
func (p *process) health(b *background, gate *web.Gate) *web.Health {
	type checks = map[string]func(context.Context) error
	h := &web.Health{Log: p.log, Needs: checks{"database": b.db.Ping}, Likes: checks{}}
	if !b.transport.Embedded() {
		h.Likes["redis"] = func(ctx context.Context) error {
			_, err := b.jobs.Bell.Check(ctx) // it writes: a Redis that is full, or a replica, answers a ping
			return err
		}
	}
	if gate != nil {
		h.Needs["requests"], h.Likes["requests"] = gate.Stuck, gate.Overloaded
	}
	return h
}
