// Package usage counts uses of deprecated versions, operations and fields, for
// each API key, user and user agent, by day.
//
// Counts are kept in memory and added to the table deprecated_uses now and then, in one
// transaction: several processes add up. Counts that a statement could not write are kept
// for the next. The APIs decide when to count; rows are removed after 90 days by the
// service's schedule (doc/operations/lifecycle.md).
package usage

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/entwine-go/entwine/kit/lifecycle"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Table is where uses are: a schema with an entity of that table has them counted.
const Table = "deprecated_uses"

const (
	// pause is how long counts stay in memory.
	pause = 10 * time.Second
	// longest is how much of a user agent's name is kept.
	longest = 40
)

// Names of agents that are none.
const (
	others  = "(others)"
	unnamed = "(none)"
)

// Use is how often something was used by one caller with one agent, on a day.
type Use struct {
	Day   string         `json:"day"` // 2027-01-31
	Kind  lifecycle.Kind `json:"kind"`
	Name  string         `json:"name"`
	KeyID int64          `json:"key_id,omitempty"` // an API key's, 0 for none
	// UserID is 0 where no user is signed in.
	UserID   int64  `json:"user_id,omitempty"`
	Agent    string `json:"agent"`
	Requests int64  `json:"requests"`
}

// key identifies uses that are counted together.
type key struct {
	day           int64 // since 1970
	kind          lifecycle.Kind
	name          string
	keyID, userID int64
	agent         string
}

// Counter counts. DB and Log are required. A nil Counter counts nothing.
type Counter struct {
	DB  *store.DB
	Log *slog.Logger
	// Now is the clock, time.Now where it is nil.
	Now func() time.Time

	flushing sync.Mutex
	written  map[int64]*ledger // what the table has, by day; the lock flushing guards it

	mu     sync.Mutex
	counts map[key]int64
	day    int64
	today  *ledger // what this process has counted on the day
	totals map[thing]int64
}

// thing is a deprecated thing.
type thing struct {
	kind lifecycle.Kind
	name string
}

// Totals calls tell with the uses of each deprecated thing since the process began. Their
// names are the program's own, so there are few.
func (c *Counter) Totals(tell func(kind lifecycle.Kind, name string, requests int64)) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for t, n := range c.totals {
		tell(t.kind, t.name, n)
	}
}

// Count counts one use, by the viewer with the User-Agent.
func (c *Counter) Count(v *viewer.Viewer, agent string, kind lifecycle.Kind, name string) {
	if c == nil {
		return
	}
	k := key{day: c.now().Unix() / 86400, kind: kind, name: name, keyID: v.KeyID, userID: v.UserID, agent: product(agent)}
	if v.Actor != 0 {
		k.userID = v.Actor
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(k)
	if c.totals == nil {
		c.totals = map[thing]int64{}
	}
	c.totals[thing{kind, name}]++
}

// add counts one. The lock is held.
func (c *Counter) add(k key) {
	if c.counts == nil {
		c.counts = map[key]int64{}
	}
	if k.day != c.day || c.today == nil {
		c.day, c.today = k.day, newLedger()
	}
	c.counts[c.today.admit(k)]++
}

func (c *Counter) now() time.Time {
	if c.Now != nil {
		return c.Now()
	}
	return time.Now()
}

// product is the name of the first product of a User-Agent (RFC 9110 section
// 10.1.5), without its version: "curl" of "curl/8.5.0".
func product(agent string) string {
	end := strings.IndexAny(agent, "/ (")
	if end < 0 {
		end = len(agent)
	}
	name := agent[:min(end, longest)]
	for i := range len(name) {
		if name[i] <= ' ' || name[i] > '~' {
			return others
		}
	}
	if name == "" {
		return unnamed
	}
	return name
}

// Run writes what was counted, now and then, until ctx ends. Later uses are for
// the last [Counter.Flush]. A nil Counter has nothing to write.
func (c *Counter) Run(ctx context.Context) error {
	if c == nil {
		return nil
	}
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if err := c.Flush(ctx); err != nil && ctx.Err() == nil {
			c.Log.WarnContext(ctx, "uses of what is deprecated could not be written yet", "err", err)
		}
	}
}

// addText adds to the rows that are there. Rows come in one order, so that two
// processes do not wait for each other.
var addText = statement.Of(`
	INSERT INTO deprecated_uses (identity, day, kind, name, api_key_id, user_id, agent, requests, created_at)
	SELECT identity, day, kind, name, key_id, user_id, agent, requests, now()
	FROM list($1) AS l(identity text, day text, kind text, name text, key_id bigint, user_id bigint, agent text, requests bigint)
	WHERE true ORDER BY identity
	ON CONFLICT (identity) DO UPDATE SET requests = deprecated_uses.requests + excluded.requests`)

// row is a use as the statement takes it.
type row struct {
	Use
	Identity string `json:"identity"`
}

// Flush writes what was counted. Where that fails it stays counted.
func (c *Counter) Flush(ctx context.Context) error {
	if c == nil {
		return nil
	}
	c.flushing.Lock()
	defer c.flushing.Unlock()
	c.mu.Lock()
	counts := c.counts
	c.counts = nil
	c.mu.Unlock()
	if len(counts) == 0 {
		return nil
	}
	err := c.DB.InTx(ctx, func(ctx context.Context) error { return c.write(ctx, counts) })
	if err == nil {
		return nil
	}
	c.written = nil // it may say of rows that are not there that they are
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.counts == nil {
		c.counts = map[key]int64{}
	}
	for k, n := range counts {
		c.counts[k] += n
	}
	return fmt.Errorf("write uses: %w", err)
}

// write adds counts to the table. Processes do so one after the other, because what one
// has written bounds what another may.
func (c *Counter) write(ctx context.Context, counts map[key]int64) error {
	if err := c.DB.Lock(ctx, "deprecated uses"); err != nil {
		return err
	}
	judged, err := c.judge(ctx, counts)
	if err != nil {
		return err
	}
	list, err := json.Marshal(rows(judged))
	if err != nil {
		return err
	}
	_, err = addText.Exec(ctx, c.DB, string(list))
	return err
}

// judge returns the counts as they may be written: those of what has many before those
// of what has few.
func (c *Counter) judge(ctx context.Context, counts map[key]int64) (map[key]int64, error) {
	days := map[int64]*ledger{}
	judged := make(map[key]int64, len(counts))
	for _, k := range slices.SortedFunc(maps.Keys(counts), func(a, b key) int { return cmp.Compare(counts[b], counts[a]) }) {
		l := days[k.day]
		if l == nil {
			if l = c.written[k.day]; l == nil {
				l = newLedger()
			}
			if err := l.read(ctx, c.DB, k.day); err != nil {
				return nil, err
			}
			days[k.day] = l
		}
		judged[l.admit(k)] += counts[k]
	}
	c.written = days
	return judged, nil
}

// dateOf is a day since 1970 as rows have it.
func dateOf(day int64) string { return time.Unix(day*86400, 0).UTC().Format(time.DateOnly) }

func rows(counts map[key]int64) []row {
	all := make([]row, 0, len(counts))
	for k, n := range counts {
		day := dateOf(k.day)
		all = append(all, row{
			Use{day, k.kind, k.name, k.keyID, k.userID, k.agent, n},
			fmt.Sprintf("%s %s %s %d %d %s", day, k.kind, k.name, k.keyID, k.userID, k.agent),
		})
	}
	slices.SortFunc(all, func(a, b row) int { return cmp.Compare(a.Identity, b.Identity) })
	return all
}

var sumText = statement.Of(`
	SELECT max(day), kind, name, coalesce(api_key_id, 0), coalesce(user_id, 0), agent, CAST(sum(requests) AS bigint)
	FROM deprecated_uses WHERE day >= $1
	GROUP BY kind, name, coalesce(api_key_id, 0), coalesce(user_id, 0), agent
	ORDER BY kind DESC, name, 7 DESC, 4, 5, agent`)

// Since adds up the uses since a day, those of versions first: Day is the last
// one on which there was one.
func Since(ctx context.Context, db *store.DB, day time.Time) ([]Use, error) {
	var all []Use
	err := sumText.Query(ctx, db, func(rows *sql.Rows) error {
		var u Use
		if err := rows.Scan(&u.Day, &u.Kind, &u.Name, &u.KeyID, &u.UserID, &u.Agent, &u.Requests); err != nil {
			return err
		}
		all = append(all, u)
		return nil
	}, day.UTC().Format(time.DateOnly))
	if err != nil {
		return nil, fmt.Errorf("read uses: %w", err)
	}
	return all, nil
}
