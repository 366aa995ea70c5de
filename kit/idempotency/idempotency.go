// Package idempotency makes a request that is sent again have no second
// effect, and be answered as the first one was.
//
// It owns the records of requests' results: the callers that may see one, the
// content, how long it is kept, and the number for one caller. A [Keeper] runs a
// request in one transaction with its record (package store), so that a process
// that is killed leaves both or neither. Headers, representations and the form of
// rows belong to its callers.
//
//	key unknown   -> run, store the outcome, COMMIT
//	key running   -> 409, to be sent again
//	key answered  -> the stored outcome, if the request is the same, else 422
//
// It stores an [Outcome]: as a rule the status and the id of the row, not the
// answer's body. Each API reads the row again for a repetition, by the caller's
// present rights, in the representation that is asked for. Two requests are the
// same whatever their rights, representation and version (see [NewRequest]): a
// request never runs twice because one of these has changed.
//
// The key is looked up after the caller and the input have been judged, and
// before anything is asked of the state of a row: that moment is [Claim].
//
// A request that calls the outside can't hold a transaction meanwhile: see [Ticket].
package idempotency

import (
	"context"
	"errors"
	"time"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
)

// Kept is how long an outcome is kept.
const Kept = 24 * time.Hour

// Keeper runs requests that carry a key. The zero value but for DB is ready.
type Keeper struct {
	DB *store.DB
	// Limits bound what is kept. Zero fields stand for those of [DefaultLimits].
	Limits Limits

	running keys
}

// Run carries out a request with a function that it calls in a transaction,
// unless that has been done before. The function judges the input, calls
// [Claim], and has the effect only where that returns nil; it returns what
// became of the request and, where it failed, why. It may be called again
// after a failure that a repetition may mend. An outcome that lasts is stored
// in the same transaction; any other undoes what the function did.
//
// The outcome is [Outcome.Replayed] where it is that of an earlier request. The
// error is the reason why there is no outcome: the key runs, the record would be
// too large, or the outcome of COMMIT is unknown.
func (k *Keeper) Run(ctx context.Context, r Request, run func(context.Context) (Outcome, error)) (Outcome, error) {
	if !k.running.lock(r.hash) {
		return Outcome{}, errRunning()
	}
	defer k.running.unlock(r.hash)
	var outcome Outcome
	err := k.DB.InTx(ctx, func(ctx context.Context) error {
		c := &claim{keeper: k, request: r}
		var failure error
		outcome, failure = run(context.WithValue(ctx, claimKey{}, c))
		switch {
		case c.found != nil:
			outcome = *c.found
			return nil
		case !outcome.lasting() || c.refused != nil || !c.taken && outcome.Refused != nil:
			return &undoneError{failure}
		case !c.taken:
			return errUnclaimed
		}
		err := insert(ctx, k, r, &outcome)
		if err != nil && outcome.Refused != nil { // what failed has failed the transaction: there is nothing to remember
			return &undoneError{failure}
		}
		return err
	})
	if _, undone := errors.AsType[*undoneError](err); undone {
		return outcome, nil
	}
	return outcome, err
}

// undoneError undoes a transaction whose outcome is known. Its cause lets the
// store decide whether to try again.
type undoneError struct{ cause error }

func (e *undoneError) Error() string {
	if e.cause == nil {
		return "the outcome does not last"
	}
	return e.cause.Error()
}

func (e *undoneError) Unwrap() error { return e.cause }

// errUnclaimed undoes a request whose function has an effect without a claim.
var errUnclaimed = errors.New("a request with a key took effect without a claim")

// errRunning answers a request whose twin has not been answered yet.
func errRunning() error {
	e := problem.New(problem.Conflict, "a request with this Idempotency-Key is still running")
	e.RetryAfter = time.Second
	return e
}

// Forgotten is the error of a repetition whose request was carried out, and whose
// record no longer has the answer.
func Forgotten() error {
	return problem.New(problem.Conflict, "the request with this Idempotency-Key was carried out before, and its answer is not kept any more")
}

func errReused() error {
	return problem.New(problem.KeyReused, "this Idempotency-Key was used with another request")
}
