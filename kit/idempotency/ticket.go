package idempotency

import (
	"context"
	"encoding/hex"

	"github.com/entwine-go/entwine/kit/store"
)

// Ticket is a key in the hands of an operation that calls the outside. Such
// an operation is split in two transactions with the call between them:
//
//	InTx { t.Begin(ctx); write "processing" }
//	call the outside with t.Outside() as its key
//	InTx { write the result }
//
// Begin reports a request that has begun before: whatever ended it, the row
// that says "processing" is there, and a job of the operation's finishes what
// no request does. The operation then answers with where the row stands: while it is
// processing 202 and Retry-After where an earlier request was answered so, which is
// [Ticket.Accepted], and else 409 and Retry-After; later what the first request would
// have been answered with.
type Ticket struct {
	keeper   *Keeper
	request  Request
	accepted bool
}

type ticketKey struct{}

// TicketOf returns the key of the request, nil where it has none.
func TicketOf(ctx context.Context) *Ticket {
	t, _ := ctx.Value(ticketKey{}).(*Ticket)
	return t
}

// With returns a context that carries the request's ticket, for a caller that
// keeps no outcomes: the operation answers each repetition from its own row.
func (k *Keeper) With(ctx context.Context, r Request) context.Context {
	return context.WithValue(ctx, ticketKey{}, &Ticket{keeper: k, request: r})
}

// Begin takes the key in the context's transaction, together with the operation's
// writes there. A nil ticket is always new.
func (t *Ticket) Begin(ctx context.Context) (again bool, err error) {
	if t == nil {
		return false, nil
	}
	found, err := hold(ctx, t.keeper, t.request)
	if err != nil || found != nil {
		t.accepted = err == nil && found.Status == accepted
		return found != nil, err
	}
	return false, insert(ctx, t.keeper, t.request, nil)
}

// Accepted reports whether [Ticket.Begin] has found a request that was answered before
// its outcome was decided.
func (t *Ticket) Accepted() bool { return t != nil && t.accepted }

// Outside is the key for the call: the same each time the request is sent,
// and without any trace of the client's key. It is empty without a ticket.
func (t *Ticket) Outside() string {
	if t == nil {
		return ""
	}
	return hex.EncodeToString(t.request.hash[:])
}

// Split is [Keeper.Run] for an operation that takes a [Ticket]: there is no
// transaction around it.
func (k *Keeper) Split(ctx context.Context, r Request, run func(context.Context) (Outcome, error)) (Outcome, error) {
	if !k.running.lock(r.hash) {
		return Outcome{}, errRunning()
	}
	defer k.running.unlock(r.hash)
	c := &claim{keeper: k, request: r, split: true}
	outcome, _ := run(context.WithValue(k.With(ctx, r), claimKey{}, c))
	switch {
	case c.found != nil:
		return *c.found, nil
	case !c.taken || !outcome.lasting():
		return outcome, nil
	}
	outcome.Replayed = c.begun
	if c.begun && !outcome.decided() {
		return outcome, nil // which is stored
	}
	// The effect has its own row, so that a record without an outcome is only
	// a repetition that costs more: the client may be gone, and gets its answer.
	late, cancel := store.Afterwards(ctx)
	defer cancel()
	err := k.DB.InTx(late, func(ctx context.Context) error {
		running, err := finish(ctx, k, r, &outcome)
		if err != nil || running || c.begun {
			return err
		}
		return insert(ctx, k, r, &outcome)
	})
	return outcome, err
}
