package account

import (
	"context"
	"fmt"
	"time"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// handoffLife is how long a front end may take to exchange its code; it
// includes the time to look up a one-time code.
const handoffLife = 2 * time.Minute

var handOffText = statement.Of(`INSERT INTO handoffs (created_at, user_id, code_hash, expires_at) VALUES (now(), $1, $2, $3)`)

// handOff returns a one-time code with which the front end signs the user in.
func (f *Federator) handOff(ctx context.Context, who *User) (string, error) {
	code := newSecret()
	_, err := handOffText.Exec(ctx, f.DB, who.ID, hashSecret(code), f.now().Add(handoffLife))
	if err != nil {
		return "", store.Problem(fmt.Errorf("hand off user %d: %w", who.ID, err))
	}
	return code, nil
}

// Handover is the request of a front end that was handed a code.
type Handover struct {
	// Code is the code that it was handed.
	Code string
	// OneTime is the user's one-time code or recovery code, where they have a
	// second factor.
	OneTime string
	Mode    Mode   // how the client will carry its proof
	From    Origin // where it comes from
}

// errHandoff is all that a client learns of a code that is no good.
var errHandoff = problem.Inputs(problem.Detail{Field: "code", Message: "is not valid, or has expired"})

var (
	handoffText = statement.Of(`
		SELECT h.id, ` + userColumns + ` FROM handoffs AS h JOIN users ON users.id = h.user_id
		WHERE h.code_hash = $1 AND h.expires_at > $2 AND ` + activeUser)
	consumeHandoffText = statement.Of(`DELETE FROM handoffs WHERE id = $1`)
)

// Exchange lets the user in whom the code was handed off for, once. The code
// stays good where it says [ErrCodeNeeded], or where the one-time code is
// wrong, which counts as a failure to sign in.
func (f *Federator) Exchange(ctx context.Context, in Handover) (*Grant, error) {
	if f == nil || f.Provider == nil {
		return nil, errNoProvider
	}
	var id int64
	who := new(User)
	found, err := handoffText.Row(ctx, f.DB, append([]any{&id}, who.columns()...), hashSecret(in.Code), f.now())
	if err != nil {
		return nil, store.Problem(fmt.Errorf("find handoff: %w", err))
	}
	if !found {
		return nil, errHandoff
	}
	if err := f.Factor.demand(ctx, who, in.OneTime, in.From); err != nil {
		return nil, err
	}
	n, err := consumeHandoffText.Exec(ctx, f.DB, id)
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
func (f *SecondFactor) demand(ctx context.Context, who *User, code string, from Origin) error {
	has, err := credentialOf(ctx, f.DB, who.ID)
	if err != nil || !has.enabled {
		return err
	}
	if code == "" {
		return ErrCodeNeeded
	}
	return f.Throttle.try(ctx, who.Email, from, func() error {
		accepted, err := f.accept(ctx, has, code)
		if err == nil && !accepted {
			return errProof
		}
		return err
	})
}
