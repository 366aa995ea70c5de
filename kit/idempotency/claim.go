package idempotency

import (
	"context"
	"errors"
)

// ErrAgain is [Claim]'s for a request that was carried out before.
var ErrAgain = errors.New("the request was carried out before")

// Claim takes the key of the context's request, once its input has been
// judged. It returns nil where the request is to be carried out, as one
// without a key is, and [ErrAgain] where it was: the caller then does nothing
// more, and the [Keeper] hands out the stored outcome. Any other error says why
// the key can't be had. Asked again, it says the same.
func Claim(ctx context.Context) error {
	c, _ := ctx.Value(claimKey{}).(*claim)
	if c == nil {
		return nil
	}
	if !c.taken && c.refused == nil {
		c.refused = c.take(ctx)
	}
	return c.refused
}

// Claims reports whether the context's request has a key to claim.
func Claims(ctx context.Context) bool {
	c, _ := ctx.Value(claimKey{}).(*claim)
	return c != nil
}

// Begun reports whether the context's request was begun before, and is carried out
// again only to learn how far it came: see [Ticket].
func Begun(ctx context.Context) bool {
	c, _ := ctx.Value(claimKey{}).(*claim)
	return c != nil && c.begun
}

type claimKey struct{}

// claim is a key that a running function is to take.
type claim struct {
	keeper  *Keeper
	request Request
	// split is set where the function opens its own transactions.
	split bool

	taken bool
	// begun is set where an earlier request has begun what is not decided yet.
	begun   bool
	found   *Outcome
	refused error
}

func (c *claim) take(ctx context.Context) error {
	found, err := c.look(ctx)
	switch {
	case err != nil:
		return err
	case found == nil || c.split && !found.decided(): // whose ticket says how far it came
		c.taken, c.begun = true, found != nil
		return nil
	case found.running():
		return errRunning()
	}
	c.found = found
	return ErrAgain
}

func (c *claim) look(ctx context.Context) (found *Outcome, err error) {
	if !c.split {
		return hold(ctx, c.keeper, c.request)
	}
	err = c.keeper.DB.InTx(ctx, func(ctx context.Context) (err error) {
		found, err = find(ctx, c.keeper, c.request)
		return err
	})
	return found, err
}

// hold finds the request's outcome and keeps others from its key until the
// context's transaction ends.
func hold(ctx context.Context, k *Keeper, r Request) (*Outcome, error) {
	held, err := k.DB.TryLock(ctx, "idempotency "+string(r.hash[:]))
	if err != nil {
		return nil, err
	}
	if !held {
		return nil, errRunning()
	}
	return find(ctx, k, r)
}
