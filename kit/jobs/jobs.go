// Package jobs runs background work. An accepted job is a row of the database, and
// runs until it has succeeded once or failed for good.
//
// It is one package because client, sweeper, runner and claim are transitions of one
// row: their statements hold each other's conditions, and stand side by side to be
// compared.
//
// It is a transactional outbox. A job is a row that [Client.Enqueue] inserts in
// the transaction that asks for the work; after the commit a task of asynq
// carries the row's id to a worker (ringing, by a [Bell]). A [Runner] claims the
// row before it works, holds the claim by a lease that heartbeats renew, and
// commits what the work changes together with the job's success, guarded by the
// claim's fencing token. A [Sweeper] in every process rings again for jobs that
// are due and not claimed. So any process, and all of Redis, can be lost at any
// time: no job is lost, and none takes effect twice.
//
//	queued, retrying -claim-> running -complete-> succeeded
//	running -fail-> retrying | failed      running -release-> queued | retrying
//	queued, retrying, running -cancel-> cancelled
//	failed, cancelled -retry-> queued
//
// A [Server] hears asynq, and enqueues what a schedule of [Entry] says.
//
// The package owns the rows of jobs and of their results. It leans on store
// and asynq, and knows no kind of work: those are the service's.
package jobs

import (
	"fmt"
	"time"

	"github.com/entwine-go/entwine/kit/problem"
)

// Args are the arguments of a job: a value that JSON keeps, whose type names the
// kind of work.
//
// A renamed kind or field names its former names, so that jobs that are queued
// under these are done: a kind by a method Was() []string, a field by a tag.
//
//	type Settlement struct {
//		OrderID int64 `json:"order_id" was:"order"`
//	}
//
//	func (Settlement) Kind() string  { return "settle" }
//	func (Settlement) Was() []string { return []string{"payment"} }
//
// Those who may read a job see the arguments that a tag shows, and a dash in the place of the others, of
// which a tag leaves out those that mean nothing to them. Show none that holds a secret or says something
// of a person.
//
//	type Report struct {
//		Month string `json:"month" show:"true"`
//		To    string `json:"to"`
//		Wide  bool   `json:"wide" show:"false"`
//	}
type Args interface {
	// Kind names the kind of work, the same for every value: "report".
	Kind() string
}

// Queue is where jobs wait for a worker.
type Queue string

// The queues. Urgent is for mail that a user waits for. Bulk has workers of
// its own, so that long jobs never hold up short ones.
const (
	Urgent  Queue = "urgent"
	Default Queue = "default"
	Bulk    Queue = "bulk"
)

// Options say how a job is done. Args may give those of their kind with a
// method Options() Options.
type Options struct {
	// Queue is where it waits: [Default] if empty.
	Queue Queue
	// Unique is a key that only one unfinished job of the kind may have within a
	// tenant. A second one is not made, and Enqueue returns the id of the first.
	// Empty: there may be any number.
	Unique string
	// Tick is the moment of a schedule that the job belongs to. No two jobs of
	// a kind have the same, finished or not. Zero for none.
	Tick time.Time
	// At is when it is started at the earliest: at once if zero.
	At time.Time
	// Subject is the row that the job is about, of [About]. The jobs of a row are listed by
	// it. Empty: it is not about one row.
	Subject string
	// Attempts is how often it is started before it fails for good: 10 if 0. Where the
	// kind declares [Retries] they say so, and 0 alone is allowed.
	Attempts int
}

// over returns o with what it leaves open taken from kind.
func (o Options) over(kind Options) Options {
	if o.Queue == "" {
		o.Queue = kind.Queue
	}
	if o.Unique == "" {
		o.Unique = kind.Unique
	}
	if o.Subject == "" {
		o.Subject = kind.Subject
	}
	if o.Attempts == 0 {
		o.Attempts = kind.Attempts
	}
	return o
}

// About is the [Options.Subject] of a job that is about the row of an entity with the id:
// "Note:7". Jobs of events ([expose.Topic.Job]) have that of their row by themselves.
func About[ID ~int64 | ~string](entity string, id ID) string { return fmt.Sprintf("%s:%v", entity, id) }

const (
	// lease is how long a claim holds unless it is renewed.
	lease = 15 * time.Second
	// beat is how often claims are renewed.
	beat = lease / 3
	// patience is how long a job that was rung may wait, beyond what its
	// queue is behind, before it is rung again.
	patience = 5 * time.Second
	// resultKept is how long a result can be had.
	resultKept = 7 * 24 * time.Hour
)

var (
	// errLost says that the claim is no longer this process's: the job was
	// cancelled, or its lease ran out and another process has claimed it.
	errLost = problem.New(problem.Conflict, "the job is no longer this worker's")
	// errShutdown ends the handlers that are still at work when the process must go.
	// Their work is released.
	errShutdown = problem.New(problem.Unavailable, "the worker is shutting down")
)
