// Package idempotency makes a request that is sent again have the effect of
// the first one, and its answer.
//
// It owns the records of answers: who may see one, what is kept of it and for
// how long. A [Keeper] runs a request in one transaction with its record, so
// that a process that is killed leaves both or neither; it leans on package
// store for that, and leaves headers and statuses of HTTP to its caller.
//
//	key unknown   -> run, store the answer, COMMIT
//	key running   -> 409, to be sent again
//	key answered  -> the stored answer, if the request is the same, else 422
//
// A request that calls the outside can't hold a transaction meanwhile: see [Ticket].
//
// GraphQL has no part in the header, which speaks of a request, and a request
// of GraphQL holds any number of mutations, each a transaction of its own
// (GitHub's and Shopify's APIs ignore it there, too). Its mutations that order
// and that move money have an argument for the key instead: see [Keeper.With].
package idempotency

import (
	"context"
	"errors"
	"time"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/store"
)

// Kept is how long an answer is kept.
const Kept = 24 * time.Hour

// Answer is what a request is answered with.
type Answer struct {
	Status int
	// Header holds those headers that are part of the answer.
	Header map[string]string
	Body   []byte
	// Secret names members of the body, at whatever depth, that are shown once
	// and never stored: a repetition has to do without them.
	Secret []string
	// Replayed is set where the answer is a stored one.
	Replayed bool
}

// lasting reports whether the answer is the request's for good. What is wrong
// with the input can be mended, and what went wrong here, or says when to try
// again, may pass: the same key is then a new chance. What was accepted lasts,
// though 202 says by Retry-After when to ask what became of it.
func (a Answer) lasting() bool {
	switch {
	case a.Status >= 200 && a.Status < 300:
		return true
	case a.Status >= 500, a.Status == 400, a.Status == 422, a.Status == 408, a.Status == 429:
		return false
	}
	return a.Header["Retry-After"] == ""
}

// Keeper runs requests that carry a key. The zero value but for DB is ready.
type Keeper struct {
	DB *store.DB

	running keys
}

// Run answers a request with a function that it calls in a transaction, or
// with the stored answer. The function returns what the request is to be
// answered with and, where it failed, why: it may be called again after a
// failure that a repetition may mend. A lasting answer is stored in the same
// transaction; any other undoes what the function did.
//
// The error is one that says why there is no answer: the key runs, was used
// with another request, or nobody knows whether the transaction took effect.
func (k *Keeper) Run(ctx context.Context, r Request, run func(context.Context) (Answer, error)) (Answer, error) {
	if !k.running.lock(r.hash) {
		return Answer{}, errRunning()
	}
	defer k.running.unlock(r.hash)
	var answer Answer
	err := k.DB.InTx(ctx, func(ctx context.Context) error {
		stored, err := k.claim(ctx, r)
		if err != nil || stored != nil {
			if stored != nil {
				answer = *stored
			}
			return err
		}
		var failure error
		answer, failure = run(ctx)
		if !answer.lasting() {
			return &undoneError{failure}
		}
		if err := insert(ctx, k.DB, r, &answer); err != nil {
			if answer.Status >= 400 { // what failed has failed the transaction: there is nothing to remember
				return &undoneError{failure}
			}
			return err
		}
		return nil
	})
	if _, undone := errors.AsType[*undoneError](err); undone {
		return answer, nil
	}
	return answer, err
}

// undoneError undoes a transaction whose answer is known. Its cause lets the
// store decide whether to try again.
type undoneError struct{ cause error }

func (e *undoneError) Error() string {
	if e.cause == nil {
		return "the answer does not last"
	}
	return e.cause.Error()
}

func (e *undoneError) Unwrap() error { return e.cause }

// claim takes the key in the context's transaction. It returns the stored
// answer where there is one, and an error where the key can't be had.
func (k *Keeper) claim(ctx context.Context, r Request) (*Answer, error) {
	held, err := k.DB.TryLock(ctx, "idempotency "+string(r.hash[:]))
	if err != nil {
		return nil, err
	}
	if !held {
		return nil, errRunning()
	}
	stored, err := find(ctx, k.DB, r)
	if err != nil || stored == nil {
		return nil, err
	}
	if stored.Status == 0 {
		return nil, errRunning()
	}
	return stored, nil
}

// errRunning answers a request whose twin has not been answered yet.
func errRunning() error {
	e := problem.New(problem.Conflict, "a request with this Idempotency-Key is still running")
	e.RetryAfter = time.Second
	return e
}

func errReused() error {
	return problem.New(problem.KeyReused, "this Idempotency-Key was used with another request")
}
