package account

import (
	"context"
	"slices"
	"time"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// crowd is a network whose users share a number of failures over all accounts. Past it
// an account that has failed from there is refused. Any other waits for a moment, so
// that who guesses keeps no user out whose account was not guessed at.
type crowd struct {
	most int
	// judged are the failures, and all are those with attempts that are being made,
	// which have begun after the fourth argument.
	judged, all statement.Statement
	// ownJudged and own are the same of one account.
	ownJudged, own statement.Statement
}

// crowdOf returns the crowd whose network the condition says; own is the condition for
// the failures of one account, which an index finds by the account.
func crowdOf(most int, where, own string) crowd {
	const pending = `(judged OR created_at > $4)`
	own += ` AND account_hash IN ($more)`
	return crowd{
		most:   most,
		judged: failures(where + ` AND judged`), all: failures(where + ` AND ` + pending),
		ownJudged: failures(own + ` AND judged`), own: failures(own + ` AND ` + pending),
	}
}

// A network is an address of IPv4 or a /64 of IPv6, a site a /48. The expression keeps
// SQLite from reading all failures of the site, for which it has an index, too.
var (
	ofNetwork = crowdOf(50, `address = $1`, `address = $1`)
	ofSite    = crowdOf(200, `site = $1`, `site || '' = $1`)
)

// An attempt past the bound waits a step longer for each failure, until the longest.
const (
	waitStep    = 100 * time.Millisecond
	longestWait = 2 * time.Second
	waitSteps   = int(longestWait / waitStep)
)

// crowded returns how long an attempt at an account has to wait, because of the
// failures of the network with the name.
func (t *Throttle) crowded(ctx context.Context, c crowd, name string, macs [][]byte) (time.Duration, error) {
	begun := t.now().Add(-attemptEnds)
	last, err := t.last(ctx, c.all, c.most+waitSteps, name, begun)
	if err != nil || len(last) < c.most {
		return 0, err
	}
	own, more := c.own.More(4, macs...)
	failed, err := t.last(ctx, own, 1, name, slices.Insert(more, 0, any(begun))...)
	if err != nil {
		return 0, err
	}
	if len(failed) > 0 {
		return 0, t.outside(ctx, c, name, macs)
	}
	return min(longestWait, waitStep*time.Duration(len(last)-c.most+1)), nil
}

// outside refuses an attempt at an account that has failed from the network. Attempts
// that are being made are only in the way for a moment.
func (t *Throttle) outside(ctx context.Context, c crowd, name string, macs [][]byte) error {
	last, err := t.last(ctx, c.judged, c.most, name)
	if err != nil {
		return err
	}
	own, more := c.ownJudged.More(3, macs...)
	failed, err := t.last(ctx, own, 1, name, more...)
	if err != nil {
		return err
	}
	if len(last) == c.most && len(failed) > 0 {
		until := last[c.most-1]
		if failed[0].Before(until) {
			until = failed[0]
		}
		return t.refuse(until.Add(failureWindow))
	}
	busy := problem.New(problem.Unavailable, "too many are signing in from this network: try again")
	busy.RetryAfter = time.Second
	return busy
}

// maxPaused is how many attempts may wait in this process.
const maxPaused = 1000

// pause waits before an attempt is made.
func (t *Throttle) pause(ctx context.Context, d time.Duration) error {
	if d == 0 {
		return nil
	}
	defer t.paused.Add(-1)
	if t.paused.Add(1) > maxPaused {
		busy := problem.New(problem.Unavailable, "too many are signing in: try again")
		busy.RetryAfter = time.Second
		return busy
	}
	if t.Pause != nil {
		return t.Pause(ctx, d)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
