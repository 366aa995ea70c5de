package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"time"
)

// Handler does the work of one kind.
type Handler[T Args] interface {
	// Work does the job. It may run again, from the start and in another process,
	// until it has succeeded once. So changes of the database belong into
	// job.Complete, and calls of other services carry job.Key. An error is tried again
	// later, unless it is [Permanent]; the client reads of it what is a problem.Error.
	// When ctx ends, the job is no longer the worker's.
	Work(ctx context.Context, job *Job[T]) error
}

// HandlerFunc is a Handler that is one function.
type HandlerFunc[T Args] func(ctx context.Context, job *Job[T]) error

// Work calls f.
func (f HandlerFunc[T]) Work(ctx context.Context, job *Job[T]) error { return f(ctx, job) }

// Job is a job that this process has claimed.
type Job[T Args] struct {
	*Claim
	Args T // what it is about, as it was enqueued
}

// Kind is a kind of work and who does it. [Handle] makes one.
type Kind struct {
	name  string
	was   []string // those of jobs that earlier versions queued
	as    As
	limit time.Duration
	// retries are declared where the type says so; else each job has its own attempts.
	retries  Retries
	declared bool
	work     func(ctx context.Context, c *Claim, args []byte) error
	// arguments are those of T.
	arguments []argument
}

// Does reports whether it does jobs of the kind with the name: by its name of
// now, or by one that it had.
func (k Kind) Does(name string) bool { return k.name == name || slices.Contains(k.was, name) }

// Handle returns the kind of T's jobs, which h does. A handler may bound one
// attempt by a method Limit() time.Duration; it is 15 minutes otherwise.
func Handle[T Args](h Handler[T]) Kind {
	var zero T
	k := Kind{name: zero.Kind(), as: asOf(zero), limit: 15 * time.Minute, arguments: argumentsOf(reflect.TypeFor[T]())}
	k.retries, k.declared = retriesOf(zero)
	if renamed, ok := any(zero).(interface{ Was() []string }); ok {
		k.was = renamed.Was()
	}
	names := namesOf(reflect.TypeFor[T]())
	if bounded, ok := h.(interface{ Limit() time.Duration }); ok {
		k.limit = bounded.Limit()
	}
	k.work = func(ctx context.Context, c *Claim, args []byte) error {
		job := &Job[T]{Claim: c}
		args, err := names.ofNow(args)
		if err == nil {
			err = json.Unmarshal(args, &job.Args)
		}
		if err != nil {
			return Permanent(fmt.Errorf("read the arguments: %w", err))
		}
		return h.Work(ctx, job)
	}
	return k
}

// asOf is as whom jobs with the arguments are done.
func asOf(args Args) As {
	if says, ok := args.(interface{ RunsAs() As }); ok {
		return says.RunsAs()
	}
	return AsEnqueuer
}

// Permanent marks err as one that another attempt would meet, too: a job whose handler
// returns it fails for good, whatever attempts it has left.
func Permanent(err error) error { return &permanentError{err} }

type permanentError struct{ error }

func (e *permanentError) Unwrap() error { return e.error }
