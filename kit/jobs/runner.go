package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/internal/batch"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/pubsub"
	"github.com/entwine-go/entwine/kit/requestid"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Runner does jobs. [NewRunner] makes one, [Runner.Stop] ends it.
type Runner struct {
	// Observer is called around each attempt. May be nil. It is set before
	// the first Run.
	Observer Observer
	// Caller reads the user or the API key with the id as they are now, whichever is
	// not 0, nil where they may not sign in: as whom jobs are done that they have
	// enqueued (see [As]). It is set before the first Run.
	Caller func(ctx context.Context, userID, keyID int64) (*viewer.Viewer, error)

	// Files keeps results where jobs have a field for them: see [Claim.Output]. Nil: they are
	// in the database. It is set before the first Run.
	Files *files.Keeper

	db    *store.DB
	log   *slog.Logger
	kinds map[string]Kind
	// attempts are those of kinds that declare them, as a list of JSON.
	attempts string
	take     *batch.Batch[*request]

	mu      sync.Mutex
	claims  map[*Claim]struct{}
	closed  bool
	idle    chan struct{} // closed once closed is set and no claim is left
	started time.Time     // what the claims' clock counts from

	pulse func() // ends the heartbeat
	still chan struct{}
}

// NewRunner returns a runner that knows the kinds, and starts its heartbeat.
// It panics if two kinds have one name.
func NewRunner(db *store.DB, bus pubsub.Bus, log *slog.Logger, kinds ...Kind) *Runner {
	ctx, pulse := context.WithCancel(context.Background())
	r := &Runner{
		db: db, log: log, kinds: make(map[string]Kind), claims: make(map[*Claim]struct{}),
		idle: make(chan struct{}), started: time.Now(), pulse: pulse, still: make(chan struct{}),
	}
	r.take = batch.New(taken, r.takeAll)
	for _, k := range kinds {
		if _, ok := r.kinds[k.name]; ok {
			panic(fmt.Sprintf("jobs: two kinds are named %q", k.name))
		}
		r.kinds[k.name] = k
	}
	for _, k := range kinds {
		for _, was := range k.was {
			if _, ok := r.kinds[was]; !ok { // else it is another kind's by now
				r.kinds[was] = k
			}
		}
	}
	r.attempts = attemptsOf(r.kinds)
	woken, deaf := bus.Listen(cancelled)
	go func() {
		defer deaf()
		r.heartbeat(ctx, woken)
	}()
	return r
}

// Run does the job with the id, if it is due and has no live claim. It
// returns when this process is done with it, whatever became of it: an error
// only says that the database could not be asked.
func (r *Runner) Run(ctx context.Context, id int64) error {
	if r.stopped() {
		return nil // another process claims it
	}
	c, err := r.claim(ctx, id)
	if err != nil || c == nil {
		return err
	}
	// The claim ends with the lease and with the job, not with the context of the task.
	ctx, c.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	defer c.cancel(nil)
	if !r.hold(c) {
		return c.release(ctx)
	}
	defer r.drop(c)
	r.observed(ctx, c)
	return nil
}

// work calls the handler, for no longer than its kind may take.
func (r *Runner) work(ctx context.Context, c *Claim) (err error) {
	defer c.discard()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	kind, ok := r.kinds[c.kind]
	if !ok {
		return problem.New(problem.Unavailable, "no handler of jobs of the kind %q is registered with the worker", c.kind)
	}
	ctx, stop := context.WithTimeout(ctx, kind.limit)
	defer stop()
	who, args, err := r.worker(ctx, c, kind.as)
	if err != nil {
		return err
	}
	ctx = requestid.With(viewer.With(ctx, who), c.Key())
	return kind.work(ctx, c, args)
}

// settle writes down what became of the job, and returns it in a word.
func (r *Runner) settle(ctx context.Context, c *Claim, err error) (outcome string) {
	log := r.log.With("job_id", c.ID, "kind", c.kind, "attempt", c.Attempt)
	cause := context.Cause(ctx)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lease)
	defer cancel()
	switch {
	case c.completed.Load():
		if err != nil {
			log.WarnContext(ctx, "job succeeded, then its handler failed", "err", err)
		}
		return succeeded
	case err == nil:
		if err = c.Complete(ctx, nil); err == nil {
			log.DebugContext(ctx, "job succeeded")
			return succeeded
		}
	case errors.Is(cause, errShutdown):
		if err = c.release(ctx); err == nil {
			log.InfoContext(ctx, "job released")
			return released
		}
	}
	if errors.Is(err, errLost) || errors.Is(cause, errLost) {
		log.InfoContext(ctx, "job was lost to another worker or cancelled")
		return lost
	}
	return r.fail(ctx, log, c, err)
}

func (r *Runner) fail(ctx context.Context, log *slog.Logger, c *Claim, err error) (outcome string) {
	var permanent *permanentError
	forGood := errors.As(err, &permanent)
	level, outcome := slog.LevelWarn, retrying
	if forGood || c.Last {
		level, outcome = slog.LevelError, failed
	}
	log.Log(ctx, level, "job failed", "err", err)
	err = c.fail(ctx, readable(err), forGood, r.retries(c.kind).after(c.Attempt))
	if err != nil && !errors.Is(err, errLost) {
		log.WarnContext(ctx, "the failure could not be written down: the lease will run out", "err", err)
	}
	return outcome
}

// InternalError is [Row.Error] of a job that failed with an error that an API would mask,
// too. The log of the process that worked on it has that error, in the line "job failed"
// with the job's id as job_id.
const InternalError = "internal error"

// readable is the part of an error that a client may read: the message of an API, with
// the faults of its fields. That something refuses connections is not the database's
// doing alone here: a mail server does, too, and the log has which.
func readable(err error) string {
	own := problem.As(err)
	if own == nil && errors.Is(err, context.DeadlineExceeded) {
		return "it took too long"
	}
	p := problem.As(store.Problem(err))
	if p == nil || p.Kind == problem.Internal || own == nil && p.Kind == problem.Unavailable {
		return InternalError
	}
	details := make([]string, len(p.Details))
	for i, d := range p.Details {
		details[i] = strings.TrimSuffix(d.Field, expose.FoldSuffix) + " " + d.Message
	}
	if len(details) == 0 {
		return p.Message
	}
	return p.Message + ": " + strings.Join(details, ", ")
}

// retries are those of the kind, and the usual ones where this process does not know it.
func (r *Runner) retries(kind string) Retries {
	if k, ok := r.kinds[kind]; ok {
		return k.retries
	}
	return Retries{}.complete(kind)
}
