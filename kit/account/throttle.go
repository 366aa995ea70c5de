package account

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/fold"
	"github.com/entwine-go/entwine/kit/runtime/statement"
	"github.com/entwine-go/entwine/kit/runtime/store"
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
	DB    *store.DB // where failures are counted
	Vault *Vault    // hashes the accounts and networks that are counted
	// Now is the time, time.Now where it is nil.
	Now func() time.Time

	turns turns
}

// try makes an attempt, unless too many have failed: then the error is of
// kind RateLimited, and says when to come back.
//
// The attempt is counted before it is made and forgiven afterwards, so that
// many at once, here or in other processes, are no more than many one after
// the other. Those in this process take turns, so that attempts that
// succeed hold none of the others up. An attempt at another account of the network counts
// for the network only once it has failed.
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

// networkOf returns the network of an address: a subscriber has a /64 of IPv6,
// and often a /48.
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

var countText = statement.Of(`
	INSERT INTO login_failures (account_hash, address, site, created_at, judged) VALUES ($1, $2, $3, $4, false) RETURNING id`)

// count adds a failure that is not judged yet, unless there are too many.
func (t *Throttle) count(ctx context.Context, account string, from network) (id int64, err error) {
	err = t.DB.InTx(ctx, func(ctx context.Context) error {
		if err := t.lock(ctx, account, from); err != nil {
			return err
		}
		if err := t.check(ctx, account, from); err != nil {
			return err
		}
		_, err := countText.Row(ctx, t.DB, []any{&id}, t.Vault.mac(forAccount, account), from.name, from.site, t.now())
		return err
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

// failures are the last ones after the second argument, at most so many as the
// third says, the latest first.
func failures(where string) statement.Statement {
	return statement.Of(`SELECT created_at FROM login_failures WHERE ` + where + ` AND created_at > $2 ORDER BY created_at DESC LIMIT $3`)
}

// shared are the failures that several accounts have together: those that were
// judged, and with them those that are being made, which have begun after the
// fourth argument.
type shared struct{ judged, all statement.Statement }

func sharedBy(column string) shared {
	where := column + ` = $1 AND judged`
	return shared{judged: failures(where), all: failures(column + ` = $1 AND (judged OR created_at > $4)`)}
}

var (
	failuresHere     = failures(`address = $1 AND account_hash IN ($more)`)
	failuresAnywhere = failures(`address NOT IN ($1, '` + anyVerification + `') AND account_hash IN ($more)`)
	networkFailures  = sharedBy("address")
	siteFailures     = sharedBy("site")
)

// check refuses where the last failures are too many.
func (t *Throttle) check(ctx context.Context, account string, from network) error {
	macs := t.Vault.macs(forAccount, account)
	here, more := failuresHere.More(3, macs...)
	if err := t.bound(ctx, here, maxFailures, from.name, more...); err != nil || !from.real {
		return err
	}
	if err := t.boundShared(ctx, networkFailures, maxNetworkFailures, from.name); err != nil {
		return err
	}
	if from.site != "" {
		if err := t.boundShared(ctx, siteFailures, maxSiteFailures, from.site); err != nil {
			return err
		}
	}
	return t.slow(ctx, macs)
}

// bound refuses where there are so many failures within the window.
func (t *Throttle) bound(ctx context.Context, of statement.Statement, most int, by string, more ...any) error {
	last, err := t.last(ctx, of, most, by, more...)
	if err != nil || len(last) < most {
		return err
	}
	return t.refuse(last[most-1].Add(failureWindow))
}

// boundShared is bound for what several accounts share. Attempts that are
// being made are only in the way for a moment, and only where with them
// there would be too many failures.
func (t *Throttle) boundShared(ctx context.Context, of shared, most int, by string) error {
	last, err := t.last(ctx, of.all, most, by, t.now().Add(-attemptEnds))
	if err != nil || len(last) < most {
		return err
	}
	if err := t.bound(ctx, of.judged, most, by); err != nil {
		return err
	}
	busy := problem.New(problem.Unavailable, "too many are signing in from this network: try again")
	busy.RetryAfter = time.Second
	return busy
}

// slow refuses an account that has failed often, from wherever, until some
// time after its last failure.
func (t *Throttle) slow(ctx context.Context, macs [][]byte) error {
	most := maxAccountFailures + int(longestPause/time.Second)
	anywhere, more := failuresAnywhere.More(3, macs...)
	last, err := t.last(ctx, anywhere, most, anyAddress, more...)
	if err != nil || len(last) < maxAccountFailures {
		return err
	}
	pause := min(longestPause, time.Second<<min(len(last)-maxAccountFailures, 16))
	if until := last[0].Add(pause); until.After(t.now()) {
		return t.refuse(until)
	}
	return nil
}

// last returns when the last failures within the window were, the latest first.
func (t *Throttle) last(ctx context.Context, of statement.Statement, most int, by string, more ...any) ([]time.Time, error) {
	return moments(ctx, t.DB, of, append([]any{by, t.now().Add(-failureWindow), most}, more...)...)
}

// moments returns the times that a statement finds.
func moments(ctx context.Context, db *store.DB, text statement.Statement, args ...any) (all []time.Time, err error) {
	err = text.Query(ctx, db, func(rows *sql.Rows) error {
		var at time.Time
		err := rows.Scan(&at)
		all = append(all, at)
		return err
	}, args...)
	return all, err
}

// refuse says when to come back.
func (t *Throttle) refuse(until time.Time) error {
	refusal := problem.New(problem.RateLimited, "too many failed attempts to sign in: try again later")
	refusal.RetryAfter = until.Sub(t.now())
	return refusal
}

var (
	judgeText   = statement.Of(`UPDATE login_failures SET judged = true WHERE id = $1`)
	forgiveText = statement.Of(`DELETE FROM login_failures WHERE id = $1`)
	forgetText  = statement.Of(`DELETE FROM login_failures WHERE account_hash IN ($more)`)
)

// judge has an attempt count that has failed, also for a caller who is gone.
func (t *Throttle) judge(ctx context.Context, id int64) error {
	if _, err := judgeText.Exec(context.WithoutCancel(ctx), t.DB, id); err != nil {
		return fmt.Errorf("count failed attempt: %w", err)
	}
	return nil
}

// forgive takes an attempt back that did not fail, also for a caller who is gone.
func (t *Throttle) forgive(ctx context.Context, id int64) error {
	late, cancel := store.Afterwards(ctx)
	defer cancel()
	if _, err := forgiveText.Exec(late, t.DB, id); err != nil {
		return fmt.Errorf("forgive attempt: %w", err)
	}
	return nil
}

// forget takes all failures of an account back: its user has shown who they
// are in another way.
func (t *Throttle) forget(ctx context.Context, email string) error {
	forget, macs := forgetText.More(0, t.Vault.macs(forAccount, fold.String(email))...)
	if _, err := forget.Exec(ctx, t.DB, macs...); err != nil {
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
