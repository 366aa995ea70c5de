package store

import (
	"context"
	"database/sql/driver"
	"fmt"
	"sync"
	"sync/atomic"
)

// lineage knows whether the database is still the one that it was: after a failover to
// a standby that lagged, and after a restore, it has not had all of what this process
// has seen of it.
type lineage struct {
	turns atomic.Int64

	mu       sync.Mutex
	identity string // of PostgreSQL's cluster, empty where it can't be asked for
	listen   []func(why string)
}

func (l *lineage) number() int64 { return l.turns.Load() }

// Lineage is a number that changes when the database turns out to be another one than
// before, or the same at an earlier state. Rows that were read before may then never
// have existed. On PostgreSQL each connection is asked for its cluster and timeline
// when it is opened, and one of an earlier lineage is not used again.
func (db *DB) Lineage() int64 { return db.lineage.number() }

// OnReplaced has f called, too, each time that the lineage changes. f must not block,
// and not use the database.
func (db *DB) OnReplaced(f func(why string)) {
	db.lineage.mu.Lock()
	defer db.lineage.mu.Unlock()
	db.lineage.listen = append(db.lineage.listen, f)
}

// Replaced begins a new lineage, unless the present one is another than the caller has
// seen. Callers use it when rows show that the database was replaced.
func (db *DB) Replaced(seen int64, why string) {
	if db.lineage.turns.CompareAndSwap(seen, seen+1) {
		db.lineage.tell(why)
	}
}

func (l *lineage) tell(why string) {
	l.mu.Lock()
	listen := l.listen
	l.mu.Unlock()
	for _, f := range listen {
		f(why)
	}
}

// compare begins a new lineage where a new connection is to another cluster or
// timeline than the last one.
func (l *lineage) compare(identity string) {
	if identity == "" {
		return
	}
	l.mu.Lock()
	was := l.identity
	l.identity = identity
	turned := was != "" && was != identity
	if turned {
		l.turns.Add(1)
	}
	l.mu.Unlock()
	if turned {
		l.tell(fmt.Sprintf("the server is of system and timeline %s, and was of %s", identity, was))
	}
}

// identityText asks for the system identifier, which initdb gives, and the timeline,
// which each promotion and each recovery to a point in time raises. Any role may ask.
// The control file has the timeline of the last checkpoint, which may be long after a
// promotion, so it is asked only where no WAL is written.
const identityText = `SELECT (SELECT system_identifier FROM pg_control_system()) || '/' || CASE WHEN pg_is_in_recovery()
	THEN (SELECT timeline_id FROM pg_control_checkpoint())
	ELSE ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::int END || CASE WHEN pg_is_in_recovery() THEN '` + standbyMark + `' ELSE '' END`

// standbyMark ends what a standby says.
const standbyMark = " standby"

// identify returns the cluster and timeline of a connection, empty where the server
// does not say: some that speak PostgreSQL's protocol have no such functions.
func identify(ctx context.Context, c driver.QueryerContext) string {
	said, err := ask(ctx, c, identityText)
	if err != nil {
		return ""
	}
	return said
}
