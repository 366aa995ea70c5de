package usage

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// Agents are texts of clients, so the rows that they make are bounded, for all processes
// together: uses beyond the bound count for one common agent, and uses beyond the rows
// of a day for no caller, either.
const (
	mostAgents    = 10     // of a user or an API key, on a day
	mostAnonymous = 100    // of all anonymous callers, on a day
	mostRows      = 20_000 // of a day
)

// caller identifies a caller whose agents are counted together. Zero stands for
// all anonymous callers.
type caller struct{ keyID, userID int64 }

func (c caller) most() int {
	if c == (caller{}) {
		return mostAnonymous
	}
	return mostAgents
}

// ledger has the keys that have a row on a day.
type ledger struct {
	last   int64 // the id of the newest row that was read
	rows   map[key]struct{}
	agents map[caller]map[string]struct{}
}

func newLedger() *ledger {
	return &ledger{rows: map[key]struct{}{}, agents: map[caller]map[string]struct{}{}}
}

// admit returns what a use is counted as, which has a row from now on.
func (l *ledger) admit(k key) key {
	if _, known := l.rows[k]; known {
		return k
	}
	by := caller{k.keyID, k.userID}
	if _, known := l.agents[by][k.agent]; !known && len(l.agents[by]) >= by.most() {
		k.agent = others
	}
	if _, known := l.rows[k]; !known && len(l.rows) >= mostRows {
		k.keyID, k.userID, k.agent = 0, 0, others
	}
	return l.add(k)
}

// add notes a row.
func (l *ledger) add(k key) key {
	if _, known := l.rows[k]; known {
		return k
	}
	k.agent = strings.Clone(k.agent) // of a header that goes away
	l.rows[k] = struct{}{}
	if k.agent != others {
		by := caller{k.keyID, k.userID}
		if l.agents[by] == nil {
			l.agents[by] = map[string]struct{}{}
		}
		l.agents[by][k.agent] = struct{}{}
	}
	return k
}

var newRowsText = statement.Of(`
	SELECT id, kind, name, coalesce(api_key_id, 0), coalesce(user_id, 0), agent FROM deprecated_uses WHERE day = $1 AND id > $2`)

// read adds the day's rows that have come since it was read last. Rows are written one
// transaction after the other (see [Counter.Flush]), so that their ids follow the order
// of commits.
func (l *ledger) read(ctx context.Context, db *store.DB, day int64) error {
	last := l.last
	err := newRowsText.Query(ctx, db, func(rows *sql.Rows) error {
		var id int64
		k := key{day: day}
		if err := rows.Scan(&id, &k.kind, &k.name, &k.keyID, &k.userID, &k.agent); err != nil {
			return err
		}
		l.add(k)
		l.last = max(l.last, id)
		return nil
	}, dateOf(day), last)
	if err != nil {
		return fmt.Errorf("read uses of a day: %w", err)
	}
	return nil
}
