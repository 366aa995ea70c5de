package worker_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/entwine-go/entwine/migrate/migratetest"

	"github.com/redis/go-redis/v9"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/pgserver"
	"github.com/entwine-go/entwine/kit/store"
)

// make faults sets them higher.
var (
	faults    = flag.Int("faults", 7, "how many faults TestFaults injects into each combination")
	faultJobs = flag.Int("jobs", 420, "how many jobs TestFaults has done meanwhile")
)

// drainTime is how long after the last fault everything must be done.
const drainTime = 20 * time.Second

// world is a service that is treated badly.
type world struct {
	*testing.T
	processes []*process
	redis     *storetest.RedisServer // nil where it is embedded
	postgres  *pgserver.Server       // nil on SQLite
	url       string
	paused    sync.WaitGroup
	tally     map[string]int
}

// TestFaults has jobs accepted and done while processes are killed and
// paused, Redis forgets, and the database goes away. Every job that was
// promised takes effect, once.
func TestFaults(t *testing.T) {
	t.Parallel()
	t.Run("sqlite, embedded", func(t *testing.T) {
		t.Parallel()
		w := &world{T: t, url: tracing(t).SQLiteURL(t)}
		w.run("server and worker")
	})
	t.Run("sqlite, redis", func(t *testing.T) {
		t.Parallel()
		w := &world{T: t, url: tracing(t).SQLiteURL(t), redis: storetest.Redis(t)}
		w.run("server", "worker", "worker")
	})
	t.Run("postgres, redis", func(t *testing.T) {
		t.Parallel()
		w := &world{T: t, redis: storetest.Redis(t)}
		w.startPostgres()
		w.run("server", "worker", "worker")
	})
}

// tracing is the migrated schema with a table that counts effects.
func tracing(t testing.TB) storetest.Schema {
	s := migratetest.Schema(t)
	return storetest.Schema{Key: s.Key + " tracing", Up: func(ctx context.Context, db *store.DB) error {
		if err := s.Up(ctx, db); err != nil {
			return err
		}
		_, err := db.ExecContext(ctx, "CREATE TABLE effects (job_id bigint NOT NULL)")
		return err
	}}
}

// startPostgres starts a server to be killed. Its commits must have reached the kernel.
func (w *world) startPostgres() {
	w.Helper()
	dir, err := os.MkdirTemp("", "entwine-faults-")
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		w.Fatal(err)
	}
	if w.postgres, err = pgserver.Start(w.Context(), dir+"/cluster"); err != nil {
		w.Skipf("NOT TESTED on postgres: %v", err)
	}
	w.Cleanup(w.postgres.Kill)
	w.url = w.postgres.URL("postgres") + "&synchronous_commit=on"
	db := w.open()
	defer db.Close()
	if err := tracing(w.T).Up(w.Context(), db); err != nil {
		w.Fatal(err)
	}
}

func (w *world) open() *store.DB {
	w.Helper()
	db, err := store.Open(w.Context(), store.Config{URL: w.url, Conns: 2})
	if err != nil {
		w.Fatal(err)
	}
	return db
}

func (w *world) run(roles ...string) {
	w.tally = make(map[string]int)
	env := []string{databaseEnv + "=" + w.url, fmt.Sprintf("%s=%d", jobsEnv, *faultJobs)}
	if w.redis != nil {
		env = append(env, redisEnv+"="+w.redis.URL)
	}
	for _, role := range roles {
		p := &process{role: role, env: env, acks: make(map[int64]bool)}
		if err := p.start(); err != nil {
			w.Fatal(err)
		}
		w.Cleanup(func() { p.kill() })
		w.processes = append(w.processes, p)
	}
	db := w.open()
	defer db.Close()
	for n := range *faults {
		// The faults are spread over the jobs, so that there is always something to lose.
		w.wait(db, "jobs", *faultJobs*n/(*faults+1))
		w.inject(n)
	}
	w.paused.Wait()
	last := time.Now()
	w.wait(db, "jobs", *faultJobs)
	w.drain(db)
	took := time.Since(last)
	w.verify(db)
	w.Logf("%d jobs, faults %v, drained %v after the last", *faultJobs, w.tally, took.Round(100*time.Millisecond))
	if long() && took > drainTime {
		w.Errorf("drained %v after the last fault, want %v", took, drainTime)
	}
}

// wait waits until a table has so many rows.
func (w *world) wait(db *store.DB, table string, rows int) {
	w.Helper()
	for w.count(db, table) < rows {
		w.step()
	}
}

// drain waits until every job has ended.
func (w *world) drain(db *store.DB) {
	w.Helper()
	for w.count(db, "jobs WHERE finished_at IS NULL") > 0 {
		w.step()
	}
}

func (w *world) step() {
	w.Helper()
	select {
	case <-w.Context().Done():
		w.Fatal("the test has run out of time")
	case <-time.After(20 * time.Millisecond):
	}
}

// count counts, also while the database is away.
func (w *world) count(db *store.DB, from string) (n int) {
	w.Helper()
	for {
		rows, err := db.QueryContext(w.Context(), "SELECT COUNT(*) FROM "+from)
		if err == nil {
			if rows.Next() {
				err = rows.Scan(&n)
			}
			_ = rows.Close()
			if err == nil && rows.Err() == nil {
				return n
			}
		}
		w.step()
	}
}

// inject does something bad: first one of each sort, then what comes up. A
// pause takes 16 s, so the short form has one.
func (w *world) inject(n int) {
	w.Helper()
	all := w.faults()
	f := all[n%len(all)]
	if n >= len(all) {
		for f = all[rand.IntN(len(all))]; f.name == pausing && !long(); {
			f = all[rand.IntN(len(all))]
		}
	}
	w.tally[f.name]++
	if err := f.do(); err != nil {
		w.Fatalf("%s: %v", f.name, err)
	}
}

// long reports whether this is the long form.
func long() bool { return *faults >= 100 }

const pausing = "SIGSTOP past the lease"

type fault struct {
	name string
	do   func() error
}

func (w *world) faults() []fault {
	all := []fault{
		{"kill -9 of a process", w.kill},
		{pausing, w.pause},
		{"kill -9 of a process", w.kill},
	}
	if w.redis != nil {
		all = append(all, fault{"FLUSHALL", w.flush}, fault{"kill -9 of Redis", w.killRedis}, fault{"SIGSTOP of Redis", w.pauseRedis})
	}
	if w.postgres != nil {
		all = append(all, fault{"kill -9 of PostgreSQL", w.killPostgres})
	}
	return all
}

func (w *world) kill() error {
	p := w.processes[rand.IntN(len(w.processes))]
	p.kill()
	return p.start()
}

// pause stops a process for longer than its claims hold. The others go on,
// where there are others.
func (w *world) pause() error {
	p := w.processes[rand.IntN(len(w.processes))]
	target := p.command.Process
	if err := target.Signal(syscall.SIGSTOP); err != nil {
		return err
	}
	goOn := func() {
		time.Sleep(16 * time.Second)
		_ = target.Signal(syscall.SIGCONT) // it may have been killed meanwhile
	}
	if len(w.processes) == 1 {
		goOn()
		return nil
	}
	w.paused.Go(goOn)
	return nil
}

func (w *world) flush() error {
	options, err := redis.ParseURL(w.redis.URL)
	if err != nil {
		return err
	}
	client := redis.NewClient(options)
	defer client.Close()
	return client.FlushAll(w.Context()).Err()
}

func (w *world) killRedis() error {
	w.redis.Stop()
	time.Sleep(rand.N(time.Second))
	return w.redis.Start(w.Context())
}

func (w *world) pauseRedis() error {
	if err := w.redis.Signal(syscall.SIGSTOP); err != nil {
		return err
	}
	time.Sleep(rand.N(2 * time.Second))
	return w.redis.Signal(syscall.SIGCONT)
}

func (w *world) killPostgres() error {
	w.postgres.Kill()
	time.Sleep(rand.N(time.Second))
	return w.postgres.Restart(w.Context())
}

// verify requires that what was promised took effect, once.
func (w *world) verify(db *store.DB) {
	w.Helper()
	jobs := w.count(db, "jobs")
	if n := w.count(db, "jobs WHERE status <> 'succeeded'"); n > 0 {
		w.Errorf("%d jobs have not succeeded", n)
	}
	if n := w.count(db, "effects"); n != jobs {
		w.Errorf("%d effects of %d jobs", n, jobs)
	}
	if n := w.count(db, "(SELECT job_id FROM effects GROUP BY job_id HAVING COUNT(*) > 1) AS twice"); n > 0 {
		w.Errorf("%d jobs took effect more than once", n)
	}
	have := w.ids(db)
	for _, p := range w.processes {
		p.mu.Lock()
		for id := range p.acks {
			if !have[id] {
				w.Errorf("job %d was promised and is gone", id)
			}
		}
		p.mu.Unlock()
	}
}

func (w *world) ids(db *store.DB) map[int64]bool {
	w.Helper()
	rows, err := db.QueryContext(w.Context(), "SELECT id FROM jobs")
	if err != nil {
		w.Fatal(err)
	}
	defer rows.Close()
	all := make(map[int64]bool)
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			w.Fatal(err)
		}
		all[id] = true
	}
	return all
}
