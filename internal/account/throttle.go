package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/loginfailure"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/fold"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// How many failed attempts an account allows from one address, and in what time.
const (
	maxFailures   = 5
	failureWindow = time.Hour
)

// Throttle limits attempts to sign in: failures are counted in the database
// for an account and a network address, whether or not there is such an
// account. What succeeds does not count.
type Throttle struct {
	DB    *store.DB
	Vault *Vault
	// Now is the time, time.Now where it is nil.
	Now func() time.Time

	turns turns
}

// try makes an attempt, unless too many have failed: then the error is of
// kind RateLimited, and says when to come back.
//
// The attempt is counted before it is made and forgiven afterwards, so that
// many at once, here or in other processes, are no more than many one after
// the other. Those in this process take turns, so that those that succeed are
// in nobody's way.
func (t *Throttle) try(ctx context.Context, email, address string, attempt func() error) error {
	account := fold.String(email)
	leave, err := t.turns.take(ctx, account+" "+address)
	if err != nil {
		return err
	}
	defer leave()
	id, err := t.count(ctx, account, address)
	if err != nil {
		return err
	}
	err = attempt()
	if failed(err) {
		return err
	}
	return errors.Join(err, t.forgive(ctx, id))
}

// failed reports whether an attempt counts: one that was not judged does not.
func failed(err error) bool {
	return problem.KindOf(err) == problem.InvalidCredentials || errors.Is(err, errCode)
}

// count adds a failure, unless there are too many.
func (t *Throttle) count(ctx context.Context, account, address string) (typedid.LoginFailureID, error) {
	ctx = viewer.With(ctx, viewer.System())
	var id typedid.LoginFailureID
	err := t.DB.InTx(ctx, func(ctx context.Context) error {
		if err := t.DB.Lock(ctx, "login "+account+" "+address); err != nil {
			return err
		}
		if err := t.check(ctx, account, address); err != nil {
			return err
		}
		row, err := orm.Client(t.DB).LoginFailure.Create().
			SetAccountHash(t.Vault.mac(forAccount, account)).SetAddress(address).SetCreatedAt(t.now()).Save(ctx)
		if err != nil {
			return err
		}
		id = row.ID
		return nil
	})
	if err != nil {
		return 0, store.Problem(fmt.Errorf("count attempt: %w", err))
	}
	return id, nil
}

// check refuses where the last failures are too many.
func (t *Throttle) check(ctx context.Context, account, address string) error {
	last, err := orm.Client(t.DB).LoginFailure.Query().
		Where(loginfailure.AccountHashIn(t.Vault.macs(forAccount, account)...), loginfailure.Address(address),
			loginfailure.CreatedAtGT(t.now().Add(-failureWindow))).
		Order(ent.Desc(loginfailure.FieldCreatedAt)).Limit(maxFailures).All(ctx)
	if err != nil {
		return err
	}
	if len(last) < maxFailures {
		return nil
	}
	refusal := problem.New(problem.RateLimited, "too many failed attempts to sign in: try again later")
	refusal.RetryAfter = last[maxFailures-1].CreatedAt.Add(failureWindow).Sub(t.now())
	return refusal
}

// forgive takes an attempt back that did not fail, also for a caller who is gone.
func (t *Throttle) forgive(ctx context.Context, id typedid.LoginFailureID) error {
	late, cancel := store.Afterwards(ctx)
	defer cancel()
	ctx = viewer.With(late, viewer.System())
	err := orm.Client(t.DB).LoginFailure.DeleteOneID(id).Exec(ctx)
	if err != nil && !ent.IsNotFound(err) {
		return fmt.Errorf("forgive attempt: %w", err)
	}
	return nil
}

// forget takes all failures of an account back: its user has shown who they
// are in another way.
func (t *Throttle) forget(ctx context.Context, email string) error {
	_, err := orm.Client(t.DB).LoginFailure.Delete().
		Where(loginfailure.AccountHashIn(t.Vault.macs(forAccount, fold.String(email))...)).Exec(viewer.With(ctx, viewer.System()))
	if err != nil {
		return fmt.Errorf("forget failures: %w", err)
	}
	return nil
}

func (t *Throttle) now() time.Time {
	if t.Now != nil {
		return store.Time(t.Now())
	}
	return store.Time(time.Now())
}
