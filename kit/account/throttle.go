package account

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/entwine-go/entwine/kit/fold"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// How many failed attempts are allowed for an account from a network (an address of
// IPv4, a /64 of IPv6) or a device, and in what time.
const (
	maxFailures   = 5
	failureWindow = time.Hour
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

// Throttle limits attempts to sign in: failures are counted in the database for an
// account and a network, whether or not there is such an account. A success does
// not count. A device that the account knows has a count of its own.
type Throttle struct {
	DB    *store.DB // where failures are counted
	Vault *Vault    // hashes the accounts and networks that are counted
	// Pause waits for a time, or until the context ends: an attempt from a network
	// with many failures is made later. Nil: a timer does.
	Pause func(ctx context.Context, d time.Duration) error
	// Now is the time, time.Now where it is nil.
	Now func() time.Time

	turns  turns
	paused atomic.Int64 // how many attempts wait
}

// try makes an attempt, unless too many have failed: then the error is of
// kind RateLimited, and says when to come back.
//
// The attempt is counted before it is made and forgiven afterwards, so that
// many at once, here or in other processes, are no more than many one after
// the other. Those in this process take turns, so that attempts that
// succeed hold none of the others up. An attempt at another account of the network counts
// for the network only once it has failed.
func (t *Throttle) try(ctx context.Context, email string, from Origin, attempt func() error) error {
	account, by := fold.String(email), t.network(email, from)
	leave, err := t.turns.take(ctx, account+" "+by.name)
	if err != nil {
		return err
	}
	defer leave()
	id, wait, err := t.count(ctx, account, by)
	if err != nil {
		return err
	}
	if err = t.pause(ctx, wait); err == nil {
		err = attempt()
	}
	if failed(err) {
		return errors.Join(err, t.judge(ctx, id))
	}
	return errors.Join(err, t.forgive(ctx, id))
}

// failed reports whether an attempt counts: one that was not judged does not.
func failed(err error) bool {
	return problem.KindOf(err) == problem.InvalidCredentials || errors.Is(err, errCode)
}

var countText = statement.Of(`
	INSERT INTO login_failures (account_hash, address, site, created_at, judged) VALUES ($1, $2, $3, $4, false) RETURNING id`)

// count adds a failure that is not judged yet, unless there are too many, and returns
// how long the attempt has to wait.
func (t *Throttle) count(ctx context.Context, account string, from network) (id int64, wait time.Duration, err error) {
	err = t.DB.InTx(ctx, func(ctx context.Context) error {
		if err := t.lock(ctx, account, from); err != nil {
			return err
		}
		if wait, err = t.check(ctx, account, from); err != nil {
			return err
		}
		_, err := countText.Row(ctx, t.DB, []any{&id}, t.Vault.mac(forAccount, account), from.name, from.site, t.now())
		return err
	})
	if err != nil {
		return 0, 0, store.Problem(fmt.Errorf("count attempt: %w", err))
	}
	return id, wait, nil
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

var (
	failuresHere     = failures(`address = $1 AND account_hash IN ($more)`)
	failuresAnywhere = failures(`address NOT IN ($1, '` + anyVerification + `') AND address NOT LIKE '` + deviceName + `%' AND account_hash IN ($more)`)
)

// check returns how long an attempt has to wait, and refuses it where the last
// failures are too many.
func (t *Throttle) check(ctx context.Context, account string, from network) (time.Duration, error) {
	macs := t.Vault.macs(forAccount, account)
	here, more := failuresHere.More(3, macs...)
	last, err := t.last(ctx, here, maxFailures, from.name, more...)
	if err != nil || len(last) < maxFailures && !from.real {
		return 0, err
	}
	if len(last) == maxFailures {
		return 0, t.refuse(last[maxFailures-1].Add(failureWindow))
	}
	wait, err := t.crowded(ctx, ofNetwork, from.name, macs)
	if err != nil {
		return 0, err
	}
	if from.site != "" {
		more, err := t.crowded(ctx, ofSite, from.site, macs)
		if err != nil {
			return 0, err
		}
		wait = max(wait, more)
	}
	return wait, t.slow(ctx, macs)
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
