package account

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/loginfailure"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/predicate"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/fold"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// How many failed attempts are allowed, and in what time: for an account from
// a network (an address of IPv4, a /64 of IPv6), for a network over all
// accounts, and for a /48.
const (
	maxFailures        = 5
	maxNetworkFailures = 50
	maxSiteFailures    = 200
	failureWindow      = time.Hour
)

// An account over all networks is never locked: from so many failures on
// there is a time between two attempts, which doubles with each failure up to
// the longest. Guessing from ever new networks gets slow, and who knows the
// password gets in.
const (
	maxAccountFailures = 50
	longestPause       = time.Minute
)

// attemptEnds is after which time an attempt that was not judged is not being
// made any more: its process has died.
const attemptEnds = time.Minute

// Throttle limits attempts to sign in: failures are counted in the database
// for an account and a network, whether or not there is such an account. What
// succeeds does not count.
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
// in nobody's way. What fails for another account of the network is in the
// way of others only once it has failed.
func (t *Throttle) try(ctx context.Context, email, address string, attempt func() error) error {
	account, from := fold.String(email), networkOf(address)
	leave, err := t.turns.take(ctx, account+" "+from.name)
	if err != nil {
		return err
	}
	defer leave()
	id, err := t.count(ctx, account, from)
	if err != nil {
		return err
	}
	err = attempt()
	if failed(err) {
		return errors.Join(err, t.judge(ctx, id))
	}
	return errors.Join(err, t.forgive(ctx, id))
}

// failed reports whether an attempt counts: one that was not judged does not.
func failed(err error) bool {
	return problem.KindOf(err) == problem.InvalidCredentials || errors.Is(err, errCode)
}

// network is where attempts come from.
type network struct {
	name string // an address of IPv4, a /64 of IPv6, or what stands for neither
	site string // the /48 of IPv6
	real bool
}

// networkOf returns the network of an address: whoever has one address of
// IPv6 has a /64 of them, and often a /48.
func networkOf(address string) network {
	a, err := netip.ParseAddr(address)
	if err != nil {
		return network{name: address}
	}
	a = a.Unmap().WithZone("")
	if a.Is4() {
		return network{name: a.String(), real: true}
	}
	return network{name: netip.PrefixFrom(a, 64).Masked().String(), site: netip.PrefixFrom(a, 48).Masked().String(), real: true}
}

// count adds a failure that is not judged yet, unless there are too many.
func (t *Throttle) count(ctx context.Context, account string, from network) (typedid.LoginFailureID, error) {
	ctx = viewer.With(ctx, viewer.System())
	var id typedid.LoginFailureID
	err := t.DB.InTx(ctx, func(ctx context.Context) error {
		if err := t.lock(ctx, account, from); err != nil {
			return err
		}
		if err := t.check(ctx, account, from); err != nil {
			return err
		}
		row, err := orm.Client(t.DB).LoginFailure.Create().
			SetAccountHash(t.Vault.mac(forAccount, account)).SetAddress(from.name).SetSite(from.site).SetCreatedAt(t.now()).Save(ctx)
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

// lock holds what attempts are counted for, in one order, so that none waits
// for one who waits for them.
func (t *Throttle) lock(ctx context.Context, account string, from network) error {
	names := []string{"login account " + account}
	if from.real {
		names = append(names, "login network "+from.name)
	}
	if from.site != "" {
		names = append(names, "login site "+from.site)
	}
	for _, name := range names {
		if err := t.DB.Lock(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// check refuses where the last failures are too many.
func (t *Throttle) check(ctx context.Context, account string, from network) error {
	of := loginfailure.AccountHashIn(t.Vault.macs(forAccount, account)...)
	here := loginfailure.Address(from.name)
	if err := t.bound(ctx, maxFailures, of, here); err != nil || !from.real {
		return err
	}
	if err := t.boundJudged(ctx, maxNetworkFailures, here); err != nil {
		return err
	}
	if from.site != "" {
		if err := t.boundJudged(ctx, maxSiteFailures, loginfailure.Site(from.site)); err != nil {
			return err
		}
	}
	return t.slow(ctx, of)
}

// bound refuses where there are so many failures within the window.
func (t *Throttle) bound(ctx context.Context, most int, of ...predicate.LoginFailure) error {
	last, err := t.last(ctx, most, of...)
	if err != nil || len(last) < most {
		return err
	}
	return t.refuse(last[most-1].CreatedAt.Add(failureWindow))
}

// boundJudged is bound for what several accounts share. Attempts that are
// being made are only in the way for a moment, and only where with them
// there would be too many failures.
func (t *Throttle) boundJudged(ctx context.Context, most int, of predicate.LoginFailure) error {
	last, err := t.last(ctx, most, of, loginfailure.Or(loginfailure.Judged(true), loginfailure.CreatedAtGT(t.now().Add(-attemptEnds))))
	if err != nil || len(last) < most {
		return err
	}
	if err := t.bound(ctx, most, of, loginfailure.Judged(true)); err != nil {
		return err
	}
	busy := problem.New(problem.Unavailable, "too many are signing in from this network: try again")
	busy.RetryAfter = time.Second
	return busy
}

// slow refuses an account that has failed often, from wherever, until some
// time after its last failure.
func (t *Throttle) slow(ctx context.Context, of predicate.LoginFailure) error {
	most := maxAccountFailures + int(longestPause/time.Second)
	last, err := t.last(ctx, most, of, loginfailure.AddressNotIn(anyAddress, anyVerification))
	if err != nil || len(last) < maxAccountFailures {
		return err
	}
	pause := min(longestPause, time.Second<<min(len(last)-maxAccountFailures, 16))
	if until := last[0].CreatedAt.Add(pause); until.After(t.now()) {
		return t.refuse(until)
	}
	return nil
}

// last returns the last failures within the window, the latest first.
func (t *Throttle) last(ctx context.Context, most int, of ...predicate.LoginFailure) ([]*ent.LoginFailure, error) {
	return orm.Client(t.DB).LoginFailure.Query().
		Where(of...).Where(loginfailure.CreatedAtGT(t.now().Add(-failureWindow))).
		Order(ent.Desc(loginfailure.FieldCreatedAt)).Limit(most).All(ctx)
}

// refuse says when to come back.
func (t *Throttle) refuse(until time.Time) error {
	refusal := problem.New(problem.RateLimited, "too many failed attempts to sign in: try again later")
	refusal.RetryAfter = until.Sub(t.now())
	return refusal
}

// judge has an attempt count that has failed, also for a caller who is gone.
func (t *Throttle) judge(ctx context.Context, id typedid.LoginFailureID) error {
	ctx = viewer.With(context.WithoutCancel(ctx), viewer.System())
	err := orm.Client(t.DB).LoginFailure.Update().Where(loginfailure.ID(id)).SetJudged(true).Exec(ctx)
	if err != nil {
		return fmt.Errorf("count failed attempt: %w", err)
	}
	return nil
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
