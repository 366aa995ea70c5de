package idempotency

import (
	"context"

	"github.com/entwine-go/entwine/kit/viewer"
)

// noContent is HTTP's status of an answer that is complete without a row and a body.
const noContent = 204

// KeyOf returns the key that a caller gives, empty where there is none. Keys of
// anonymous callers are ignored, since nothing distinguishes the callers.
func KeyOf(caller *viewer.Viewer, values []string) (string, error) {
	key, err := ParseKey(values)
	if err != nil || !caller.Authenticated() {
		return "", err
	}
	return key, nil
}

// Once carries a request out as [Keeper.Run] does, or as [Keeper.Split] where the
// attempt opens its own transactions, and judges a repetition: a request that was
// refused for good is refused again, and one without a kept answer is [Forgotten].
//
// The Failure of the outcome is the attempt's, or that of the repetition. The
// error is Run's.
func (k *Keeper) Once(ctx context.Context, r Request, split bool, attempt func(context.Context) (Outcome, error)) (Outcome, error) {
	run := k.Run
	if split {
		run = k.Split
	}
	var failure error
	o, err := run(ctx, r, func(ctx context.Context) (o Outcome, err error) {
		o, failure = attempt(ctx)
		return o, failure
	})
	switch {
	case err != nil:
	case !o.Replayed:
		o.Failure = failure
	case o.Refused != nil:
		o.Failure = o.Refused
	case o.Row.ID.IsZero() && len(o.Body) == 0 && o.Status != noContent:
		o.Failure = Forgotten()
	}
	return o, err
}
