package account

import (
	"context"
	"fmt"
	"time"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/handoff"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/user"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// handoffLife is how long a front end may take to exchange its code; it
// includes the time to look up a one-time code.
const handoffLife = 2 * time.Minute

// handOff returns a one-time code with which the front end signs the user in.
func (f *Federator) handOff(ctx context.Context, who *ent.User) (string, error) {
	code := newSecret()
	err := orm.Client(f.DB).Handoff.Create().SetUserID(who.ID).SetCodeHash(hashSecret(code)).
		SetExpiresAt(f.now().Add(handoffLife)).Exec(ctx)
	if err != nil {
		return "", store.Problem(fmt.Errorf("hand off user %d: %w", who.ID, err))
	}
	return code, nil
}

// Handover is what a front end says that was handed a code.
type Handover struct {
	// Code is what it was handed.
	Code string
	// OneTime is the user's one-time code or recovery code, where they have a
	// second factor.
	OneTime string
	Mode    Mode
	From    Origin
}

// errHandoff is all that a client learns of a code that is no good.
var errHandoff = problem.Inputs(problem.Detail{Field: "code", Message: "is not valid, or has expired"})

// Exchange lets the user in whom the code was handed off for, once. The code
// stays good where it says [ErrCodeNeeded], or where the one-time code is
// wrong, which counts as a failure to sign in.
func (f *Federator) Exchange(ctx context.Context, in Handover) (*Grant, error) {
	if f == nil || f.Provider == nil {
		return nil, errNoProvider
	}
	ctx = viewer.With(ctx, viewer.System())
	found, err := orm.Client(f.DB).Handoff.Query().
		Where(handoff.CodeHash(hashSecret(in.Code)), handoff.ExpiresAtGT(f.now())).
		WithUser(func(q *ent.UserQuery) { q.Where(user.IsActive(true)) }).Only(ctx)
	if ent.IsNotFound(err) || err == nil && found.Edges.User == nil {
		return nil, errHandoff
	}
	if err != nil {
		return nil, store.Problem(fmt.Errorf("find handoff: %w", err))
	}
	who := found.Edges.User
	if err := f.Factor.demand(ctx, who, in.OneTime, in.From); err != nil {
		return nil, err
	}
	n, err := orm.Client(f.DB).Handoff.Delete().Where(handoff.ID(found.ID)).Exec(ctx)
	if err != nil {
		return nil, store.Problem(fmt.Errorf("consume handoff of user %d: %w", who.ID, err))
	}
	if n == 0 {
		return nil, errHandoff
	}
	return f.Gate.Admit(ctx, who, in.Mode, in.From)
}

// demand makes sure that a user with a second factor has it at hand, who has
// proven the first in another place.
func (f *SecondFactor) demand(ctx context.Context, who *ent.User, code string, from Origin) error {
	has, err := f.credential(ctx, who.ID)
	if err != nil || !has.TotpEnabled {
		return err
	}
	if code == "" {
		return ErrCodeNeeded
	}
	return f.Throttle.try(ctx, who.Email, from.Address, func() error {
		accepted, err := f.accept(ctx, has, code)
		if err == nil && !accepted {
			return errProof
		}
		return err
	})
}
