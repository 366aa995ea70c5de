package account

import (
	"context"
	"fmt"
	"time"

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
//	either   -delete->     deleted    whom admins alone see
//	deleted  -Restore->    what it was
//
// The last active admin stays that: to take them away is of kind Conflict.
// With the row the database ends every sign-in of a user who is deactivated
// or deleted, and announces the change. A change from a state in which the
// user is not is of kind Conflict; a user whom the viewer cannot read is
// [problem.NotFound], one whom they may not change Forbidden.

// Activate lets the user sign in again.
func (r *Registrar) Activate(ctx context.Context, id typedid.UserID) error {
	return r.setActive(ctx, id, "activate", true)
}

// Deactivate keeps the user from signing in, and ends all their sign-ins: their
// tokens and sessions stop working with the commit, for good.
func (r *Registrar) Deactivate(ctx context.Context, id typedid.UserID) error {
	return r.setActive(ctx, id, "deactivate", false)
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
	state, other := "active", "deactivate"
	if !active {
		state, other = "inactive", "activate"
	}
	return r.why(ctx, id, verb, problem.New(problem.Conflict, "the user is %s already; allowed: %s", state, other))
}

// Delete deletes the user, and with them what they wrote: so that they can be
// restored, or for good. It is for operators; the APIs delete as they delete
// anything.
func (r *Registrar) Delete(ctx context.Context, id typedid.UserID, forGood bool) error {
	err := r.DB.InTx(ctx, func(ctx context.Context) error {
		users := orm.Client(r.DB).User
		if forGood {
			return users.DeleteOneID(id).Exec(ctx)
		}
		_, err := users.Hide(ctx, id, store.Time(time.Now()))
		return err
	})
	if err != nil {
		return store.Problem(fmt.Errorf("delete user %d: %w", id, err))
	}
	return nil
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
