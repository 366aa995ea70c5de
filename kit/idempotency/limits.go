package idempotency

import (
	"context"
	"fmt"
	"time"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// Limits bound what is kept for requests with keys. A request whose outcome
// could not be kept is refused, and has no effect: a key that was accepted
// keeps its promise.
type Limits struct {
	// Records and Bytes are how many requests of one caller are kept at a
	// time, and how much of them.
	Records int
	Bytes   int64
	// Body is how large one [Outcome.Body] may be.
	Body int64
}

// DefaultLimits are used where a keeper has none.
var DefaultLimits = Limits{Records: 20_000, Bytes: 8 << 20, Body: 256 << 10}

func (k *Keeper) limits() Limits {
	l := k.Limits
	if l.Records == 0 {
		l.Records = DefaultLimits.Records
	}
	if l.Bytes == 0 {
		l.Bytes = DefaultLimits.Bytes
	}
	if l.Body == 0 {
		l.Body = DefaultLimits.Body
	}
	return l
}

// usage counts the records of a caller.
type usage struct{ records, bytes int64 }

// room refuses a new key of a caller for whom as much is kept as may be.
func (l Limits) room(ctx context.Context, db *store.DB, r Request, u usage) error {
	if u.records < int64(l.Records) && u.bytes < l.Bytes {
		return nil
	}
	wait := Kept.Seconds() // until the last of them ends, where none says so
	if _, err := roomText.Row(ctx, db, []any{&wait}, r.caller, u.records-int64(l.Records)+1, u.bytes-l.Bytes+1); err != nil {
		return fmt.Errorf("find out when an idempotency record ends: %w", err)
	}
	until := time.Duration(max(wait, 1) * float64(time.Second)).Round(time.Second)
	p := problem.New(problem.RateLimited,
		"too many Idempotency-Keys: %d requests of yours are kept in %d bytes, and %d in %d bytes are allowed; the next key is taken in %v, and requests without one are taken now",
		u.records, u.bytes, l.Records, l.Bytes, until)
	p.RetryAfter = until
	return p
}

// roomText is how long it takes until enough records have ended.
var roomText = statement.Of(`
	SELECT -since(expires_at) FROM (
		SELECT id, expires_at, ROW_NUMBER() OVER oldest AS n, SUM(size) OVER oldest AS bytes
		FROM idempotency_records WHERE caller = $1 AND expires_at > now()
		WINDOW oldest AS (ORDER BY expires_at, id)
	) AS held
	WHERE n >= $2::bigint AND bytes >= $3::bigint ORDER BY expires_at, id LIMIT 1`)

func errTooLarge(size int, most int64) error {
	return problem.New(problem.TooLarge,
		"the outcome of this request takes %d bytes to be kept for its Idempotency-Key, and %d are allowed: nothing was done; send it in smaller parts, or without the key", size, most)
}
