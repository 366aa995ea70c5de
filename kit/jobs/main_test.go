package jobs_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"

	"github.com/entwine-go/entwine/kit/internal/notes"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/pubsub"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
)

func TestMain(m *testing.M) {
	redis.SetLogger(silent{})
	goleak.VerifyTestMain(m, // PostgreSQL is shared and outlives the tests
		goleak.IgnoreTopFunction("database/sql.(*DB).connectionOpener"),
		goleak.IgnoreAnyFunction("github.com/entwine-go/entwine/kit/pgserver.(*Server).run.func1"))
}

// silent is a logger for the tests in which Redis goes away.
type silent struct{}

func (silent) Printf(context.Context, string, ...any) {}

// tables are those of notes, and one that jobs leave their effects in.
func tables(t *testing.T) storetest.Schema {
	t.Helper()
	of := notes.Schema(t)
	return storetest.Schema{Key: of.Key + " jobs", Up: func(ctx context.Context, db *store.DB) error {
		if err := of.Up(ctx, db); err != nil {
			return err
		}
		_, err := db.ExecContext(ctx, "CREATE TABLE effects (job_id bigint NOT NULL)")
		return err
	}}
}

// owners lets who has started a job, and admins, cancel and retry it.
var owners = policy.Any(policy.Owner("user_id"), policy.KeyOwner("key_id"), policy.Roles(viewer.Admin))

// add is a kind of job that adds a row to effects.
type add struct {
	Note string `json:"note"`
}

func (add) Kind() string { return "add" }

// rare is a kind with options of its own.
type rare struct{}

func (rare) Kind() string          { return "rare" }
func (rare) Options() jobs.Options { return jobs.Options{Queue: jobs.Bulk, Attempts: 1} }

// kit is a process with jobs: a database, a Redis, and what works on them.
type kit struct {
	*testing.T
	ctx       context.Context // of the system
	db        *store.DB
	transport *jobs.Transport
	bus       *pubsub.Memory
	client    *jobs.Client
	sweeper   *jobs.Sweeper
}

func each(t *testing.T, test func(k *kit)) {
	t.Parallel()
	tables(t).Each(t, func(t *testing.T, db *store.DB) { test(newKit(t, db, jobs.Embed())) })
}

func newKit(t *testing.T, db *store.DB, transport *jobs.Transport) *kit {
	t.Helper()
	log := discard
	bell, bus := jobs.NewBell(transport), new(pubsub.Memory)
	k := &kit{
		T: t, ctx: viewer.With(t.Context(), viewer.System()), db: db, transport: transport, bus: bus,
		client: &jobs.Client{DB: db, Bell: bell, Bus: bus, Log: log,
			Rules: policy.Rules{Read: owners, Verbs: policy.Verbs{"cancel": owners, "retry": owners}}},
		sweeper: &jobs.Sweeper{DB: db, Bell: bell, Log: log},
	}
	t.Cleanup(func() { _ = transport.Close() })
	if _, err := bell.Check(t.Context()); err != nil {
		t.Fatalf("Check: %v", err)
	}
	return k
}

// runner returns a runner that calls work for jobs of both kinds.
func (k *kit) runner(work jobs.HandlerFunc[add]) *jobs.Runner {
	k.Helper()
	r := jobs.NewRunner(k.db, k.bus, discard, jobs.Handle(work),
		jobs.Handle(jobs.HandlerFunc[rare](func(ctx context.Context, j *jobs.Job[rare]) error {
			return work(ctx, &jobs.Job[add]{Claim: j.Claim})
		})))
	k.Cleanup(func() { r.Stop(context.Background()) })
	return r
}

// adding is the handler of add that does what it should.
func (k *kit) adding(ctx context.Context, j *jobs.Job[add]) error {
	return j.Complete(ctx, func(ctx context.Context) error { return k.effect(ctx, j.ID) })
}

func (k *kit) effect(ctx context.Context, id int64) error {
	mark := "$1"
	if !k.db.Postgres() {
		mark = "?1"
	}
	_, err := k.db.ExecContext(ctx, "INSERT INTO effects VALUES ("+mark+")", id)
	return err
}

func (k *kit) enqueue(args jobs.Args, o jobs.Options) int64 {
	k.Helper()
	id, err := k.client.Enqueue(k.ctx, args, o)
	if err != nil {
		k.Fatalf("Enqueue(%v): %v", args, err)
	}
	return id
}

func (k *kit) run(r *jobs.Runner, id int64) {
	k.Helper()
	if err := r.Run(k.ctx, id); err != nil {
		k.Errorf("Run(%d): %v", id, err)
	}
}

func (k *kit) sweep(want int) {
	k.Helper()
	n, err := k.sweeper.Pass(k.ctx)
	if err != nil || n != want {
		k.Errorf("the sweeper rang for %d jobs (%v), want %d", n, err, want)
	}
}

// exec changes rows behind the back of package jobs.
func (k *kit) exec(query string) {
	k.Helper()
	if _, err := k.db.ExecContext(k.ctx, query); err != nil {
		k.Fatalf("%s: %v", query, err)
	}
}

// age moves a moment of every job an hour into the past.
func (k *kit) age(column string) {
	k.Helper()
	if k.db.Postgres() {
		k.exec("UPDATE jobs SET " + column + " = " + column + " - interval '1 hour'")
		return
	}
	k.exec("UPDATE jobs SET " + column + " = strftime('%Y-%m-%d %H:%M:%f000+00:00', " + column + ", '-1 hour')")
}

// row is a job as the database has it.
type row struct {
	Status                                    string
	Args, Queue                               string
	Progress                                  float64
	Attempts, MaxAttempts, Fence, Generation  int64
	Error, Epoch                              *string
	RunAt                                     time.Time
	StartedAt, FinishedAt, RungAt, LeaseUntil *time.Time
}

var rowText = statement.Of(`
	SELECT status, args, queue, progress, attempts, max_attempts, fence, generation, error, epoch,
		run_at, started_at, finished_at, rung_at, lease_until
	FROM jobs WHERE id = $1`)

func (k *kit) job(id int64) *row {
	k.Helper()
	j := new(row)
	found, err := rowText.Row(k.ctx, k.db, []any{
		&j.Status, &j.Args, &j.Queue, &j.Progress, &j.Attempts, &j.MaxAttempts, &j.Fence, &j.Generation, &j.Error, &j.Epoch,
		&j.RunAt, &j.StartedAt, &j.FinishedAt, &j.RungAt, &j.LeaseUntil,
	}, id)
	if err != nil || !found {
		k.Fatalf("read job %d: found %v, %v", id, found, err)
	}
	return j
}

func (k *kit) wantStatus(id int64, want string) *row {
	k.Helper()
	j := k.job(id)
	if j.Status != want {
		k.Errorf("job %d is %s, want %s", id, j.Status, want)
	}
	return j
}

// wantEffects requires that the table of effects has so many rows.
func (k *kit) wantEffects(want int) {
	k.Helper()
	rows, err := k.db.QueryContext(k.ctx, "SELECT COUNT(*) FROM effects")
	if err != nil {
		k.Fatal(err)
	}
	defer rows.Close()
	var got int
	rows.Next()
	if err := rows.Scan(&got); err != nil || got != want {
		k.Errorf("%d effects (%v), want %d", got, err, want)
	}
}

// pending lists the payloads of the tasks that wait in a queue.
func (k *kit) pending(q jobs.Queue) []string {
	k.Helper()
	tasks, err := asynq.NewInspectorFromRedisClient(k.transport.Client).ListPendingTasks(string(q))
	if err != nil {
		return nil // a queue that nothing was ever put into
	}
	var all []string
	for _, t := range tasks {
		all = append(all, string(t.Payload))
	}
	return all
}

// user makes a user and returns them as a viewer.
func (k *kit) user(name string) *viewer.Viewer {
	k.Helper()
	id, err := notes.User(k.ctx, k.db, name)
	if err != nil {
		k.Fatalf("create user: %v", err)
	}
	return &viewer.Viewer{UserID: id, Role: "user"}
}

var discard = slog.New(slog.DiscardHandler)
