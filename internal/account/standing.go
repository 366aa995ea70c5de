package account

import (
	"context"
	"fmt"

	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/ent/user"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/runtime/store"
)

// The states of a user, and what leads from one to another:
//
//	active   -Deactivate-> inactive   who cannot sign in
//	inactive -Activate->   active
//	either   -delete->     deleted    whom nobody sees
//	deleted  -Restore->    what it was
//
// With the row the database ends every sign-in of a user who is deactivated
// or deleted, and announces the change. A change from a state in which the
// user is not is of kind Conflict; a user whom the viewer cannot read is
// [problem.NotFound], one whom they may not change Forbidden.

// Activate lets the user sign in again.
func (r *Registrar) Activate(ctx context.Context, id typedid.UserID) error {
	return r.setActive(ctx, id, policy.Activate, true)
}

// Deactivate keeps the user from signing in, and ends all their sign-ins: their
// tokens and sessions stop working with the commit, for good.
func (r *Registrar) Deactivate(ctx context.Context, id typedid.UserID) error {
	return r.setActive(ctx, id, policy.Deactivate, false)
}

func (r *Registrar) setActive(ctx context.Context, id typedid.UserID, verb string, active bool) error {
	n, err := orm.Client(r.DB).User.Update().Where(user.ID(id), user.IsActive(!active)).
		SetIsActive(active).AddVersion(1).Save(policy.As(ctx, verb))
	if err != nil {
		return store.Problem(fmt.Errorf("%s user %d: %w", verb, id, err))
	}
	if n == 1 {
		return nil
	}
	state, other := "active", policy.Deactivate
	if !active {
		state, other = "inactive", policy.Activate
	}
	return r.why(ctx, id, verb, problem.New(problem.Conflict, "the user is %s already; allowed: %s", state, other))
}

// Restore brings a deleted user back, and with them what their deletion took
// along and nothing else.
func (r *Registrar) Restore(ctx context.Context, id typedid.UserID) error {
	return r.DB.InTx(ctx, func(ctx context.Context) error {
		n, err := orm.Client(r.DB).User.Restore(ctx, id)
		if err != nil {
			return store.Problem(fmt.Errorf("restore user %d: %w", id, err))
		}
		if n == 1 {
			return nil
		}
		return r.why(ctx, id, policy.Restore, problem.New(problem.Conflict, "the user is not deleted"))
	})
}

// why says why a change touched no row: the viewer may not, or else the state
// of the user does not allow it.
func (r *Registrar) why(ctx context.Context, id typedid.UserID, verb string, conflict error) error {
	reader := &reading.Reader{DB: r.DB, Dialect: r.DB.Dialect}
	may, err := reader.May(ctx, entity.User, reading.ByID(entity.User, int64(id)), verb)
	if err != nil {
		return fmt.Errorf("%s user %d: %w", verb, id, err)
	}
	if may {
		return conflict
	}
	return reader.Why(ctx, entity.User, int64(id), verb)
}
