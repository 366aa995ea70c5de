package worker_test

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/pubsub"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
)

// The environment of a process of this program that is not a test.
const (
	roleEnv     = "ENTWINE_FAULT_ROLE" // what it does: "server", "worker" or both
	databaseEnv = "ENTWINE_FAULT_DATABASE"
	redisEnv    = "ENTWINE_FAULT_REDIS" // empty for the embedded one
	jobsEnv     = "ENTWINE_FAULT_JOBS"
)

// trace is a job whose effect can be counted: a row for each time it took place.
type trace struct{}

func (trace) Kind() string { return "trace" }

var (
	traceText = statement.Of(`INSERT INTO effects (job_id) VALUES ($1)`)
	totalText = statement.Of(`SELECT COUNT(*) FROM jobs`)
)

// child is a process that is killed and paused.
func child(role string) error {
	ctx := viewer.With(context.Background(), viewer.System())
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))
	db, err := open(ctx)
	if err != nil {
		return err
	}
	transport := jobs.Embed()
	if address := os.Getenv(redisEnv); address != "" {
		if transport, err = jobs.Dial(address); err != nil {
			return err
		}
	}
	bell, bus := jobs.NewBell(transport), new(pubsub.Memory)
	client := &jobs.Client{DB: db, Bell: bell, Bus: bus, Log: log}
	go (&jobs.Sweeper{DB: db, Bell: bell, Log: log}).Run(ctx)
	if strings.Contains(role, "worker") {
		tracing := jobs.HandlerFunc[trace](func(ctx context.Context, j *jobs.Job[trace]) error {
			time.Sleep(rand.N(20 * time.Millisecond)) // the work
			return j.Complete(ctx, func(ctx context.Context) error {
				_, err := traceText.Exec(ctx, db, j.ID)
				return err
			})
		})
		_, err := jobs.Start(jobs.ServerConfig{
			Transport: transport, Runner: jobs.NewRunner(db, bus, log, jobs.Handle(tracing)), Client: client, Log: log,
		})
		if err != nil {
			return err
		}
	}
	if strings.Contains(role, "server") {
		total, _ := strconv.Atoi(os.Getenv(jobsEnv))
		accept(ctx, client, total)
	}
	select {} // until it is killed
}

// open waits for the database, which may be away.
func open(ctx context.Context) (*store.DB, error) {
	for {
		db, err := store.Open(ctx, store.Config{URL: os.Getenv(databaseEnv)})
		if err == nil {
			return db, nil
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// accept accepts jobs until there are enough, and names each on the standard
// output once it has promised it.
func accept(ctx context.Context, client *jobs.Client, total int) {
	queues := []jobs.Queue{jobs.Urgent, jobs.Default, jobs.Default, jobs.Bulk}
	for {
		var have int
		if _, err := totalText.Row(ctx, client.DB, []any{&have}); err == nil && have >= total {
			return
		}
		for range 20 {
			id, err := client.Enqueue(ctx, trace{}, jobs.Options{Queue: queues[rand.IntN(len(queues))], Attempts: 1000})
			if err == nil {
				fmt.Println(id)
			}
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// process is a child as the test sees it. After it was killed, another takes
// its place.
type process struct {
	role string
	env  []string

	mu      sync.Mutex
	command *exec.Cmd
	exited  chan struct{}
	acks    map[int64]bool // the jobs that were promised
}

func (p *process) start() error {
	p.command = exec.Command(os.Args[0])
	p.command.Env = append(append(os.Environ(), p.env...), roleEnv+"="+p.role)
	p.command.Stderr = os.Stderr
	// The kernel ends the process if the test is killed.
	p.command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := p.command.StdoutPipe()
	if err != nil {
		return err
	}
	if err := p.command.Start(); err != nil {
		return err
	}
	command, exited := p.command, make(chan struct{})
	p.exited = exited
	go func() {
		defer close(exited)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			id, err := strconv.ParseInt(lines.Text(), 10, 64)
			if err == nil {
				p.mu.Lock()
				p.acks[id] = true
				p.mu.Unlock()
			}
		}
		_ = command.Wait()
	}()
	return nil
}

func (p *process) kill() {
	_ = p.command.Process.Kill()
	<-p.exited
}
