package worker_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/job"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/checkout"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/internal/invoicing"
	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/mail"
	"github.com/entwine-go/entwine/kit/payments"
	"github.com/entwine-go/entwine/kit/pubsub"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/migrate/migratetest"
	"github.com/entwine-go/entwine/worker"
)

func TestMain(m *testing.M) {
	redis.SetLogger(silent{})
	if role := os.Getenv(roleEnv); role != "" {
		if err := child(role); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	goleak.VerifyTestMain(m, // PostgreSQL is shared and outlives the tests
		goleak.IgnoreTopFunction("database/sql.(*DB).connectionOpener"),
		goleak.IgnoreAnyFunction("github.com/entwine-go/entwine/kit/pgserver.(*Server).run.func1"))
}

// silent is a logger for the tests in which Redis goes away.
type silent struct{}

func (silent) Printf(context.Context, string, ...any) {}

var discard = slog.New(slog.DiscardHandler)

// kit is a process with jobs on a database and a Redis.
type kit struct {
	testing.TB
	ctx       context.Context // of the system
	db        *store.DB
	transport *jobs.Transport
	bus       *pubsub.Memory
	client    *jobs.Client
	sweeper   *jobs.Sweeper
	files     *files.Keeper
}

func newKit(t testing.TB, db *store.DB, transport *jobs.Transport) *kit {
	t.Helper()
	bell, bus := jobs.NewBell(transport), new(pubsub.Memory)
	k := &kit{
		TB: t, ctx: viewer.With(t.Context(), viewer.System()), db: db, transport: transport, bus: bus,
		client:  &jobs.Client{DB: db, Bell: bell, Bus: bus, Log: discard, Rules: entity.Job.Rules},
		sweeper: &jobs.Sweeper{DB: db, Bell: bell, Log: discard},
	}
	engine := rows.Engine(db)
	k.files = &files.Keeper{
		Log: discard, DB: db, Store: &files.Folder{Path: t.TempDir()}, Reader: engine.Reader, Engine: engine, Targets: files.Targets(entity.All),
	}
	k.client.Files = k.files
	t.Cleanup(func() { _ = transport.Close() })
	if _, err := bell.Check(t.Context()); err != nil {
		t.Fatalf("Check: %v", err)
	}
	return k
}

// each runs the test on the three combinations of database and Redis.
func each(t *testing.T, test func(k *kit)) {
	t.Parallel()
	databases := migratetest.Schema(t)
	t.Run("sqlite, embedded", func(t *testing.T) {
		t.Parallel()
		test(newKit(t, databases.SQLite(t), jobs.Embed()))
	})
	t.Run("sqlite, redis", func(t *testing.T) {
		t.Parallel()
		test(newKit(t, databases.SQLite(t), dial(t)))
	})
	t.Run("postgres, redis", func(t *testing.T) {
		t.Parallel()
		test(newKit(t, databases.Postgres(t), dial(t)))
	})
}

func dial(t testing.TB) *jobs.Transport {
	t.Helper()
	transport, err := jobs.Dial(storetest.Redis(t).URL)
	if err != nil {
		t.Fatal(err)
	}
	return transport
}

// start starts a worker that knows the kinds.
func (k *kit) start(schedule []jobs.Entry, kinds ...jobs.Kind) (stop func(context.Context)) {
	k.Helper()
	server, err := jobs.Start(jobs.ServerConfig{
		Transport: k.transport, Runner: jobs.NewRunner(k.db, k.bus, discard, kinds...), Client: k.client, Schedule: schedule, Log: discard,
	})
	if err != nil {
		k.Fatal(err)
	}
	return server.Stop
}

// do does a job of one of entwine's own kinds, and returns its row.
func (k *kit) do(args jobs.Args, sender mail.Sender) *ent.Job {
	k.Helper()
	id, err := k.client.Enqueue(k.ctx, args, jobs.Options{})
	if err != nil {
		k.Fatal(err)
	}
	return k.run(id, sender)
}

// run does the job with the id, and returns its row.
func (k *kit) run(id int64, sender mail.Sender) *ent.Job {
	k.Helper()
	kinds := worker.Kinds(worker.Deps{DB: k.db, Mail: sender, Redact: true, Cashier: k.cashier(), Log: discard,
		Files: k.files, Invoice: (&invoicing.Printer{DB: k.db}).Attachment})
	accounts := account.Accounts{Resetter: &account.Resetter{DB: k.db, Mail: sender, Page: "https://shop.example/reset"}, Addresses: &account.Addresses{}}
	kinds = append(append(kinds, accounts.Kinds()...), jobs.NewPurge(k.db, discard, append(worker.Rests(), app.Rests()...)...))
	r := jobs.NewRunner(k.db, k.bus, discard, kinds...)
	r.Files = k.files
	r.Caller = account.NewVerifier(k.db, new(account.Issuer), k.bus, discard).Caller
	defer r.Stop(k.ctx)
	if err := r.Run(k.ctx, id); err != nil {
		k.Fatal(err)
	}
	return k.job(id)
}

// cashier takes money by the sandbox.
func (k *kit) cashier() *checkout.Cashier {
	return &checkout.Cashier{DB: k.db, Ent: orm.Client(k.db), Gateway: &payments.Sandbox{DB: k.db}, Jobs: k.client, Log: discard}
}

func (k *kit) job(id int64) *ent.Job {
	k.Helper()
	j, err := orm.Client(k.db).Job.Query().Where(job.ID(typedid.JobID(id))).Only(k.ctx)
	if err != nil {
		k.Fatal(err)
	}
	return j
}

// count returns how many rows a table has for which the condition holds.
func (k *kit) count(table, where string) (n int) {
	k.Helper()
	rows, err := k.db.QueryContext(k.ctx, "SELECT COUNT(*) FROM "+table+" WHERE "+where)
	if err != nil {
		k.Fatal(err)
	}
	defer rows.Close()
	rows.Next()
	if err := rows.Scan(&n); err != nil {
		k.Fatal(err)
	}
	return n
}

func ago(d time.Duration) time.Time { return store.Time(time.Now().Add(-d)) }
