package trial

import (
	"cmp"
	"context"
	"database/sql"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/entwine-go/entwine/kit/store"
)

// Lock is one that stops others from writing or reading a table.
type Lock struct {
	Table, Mode string
	// Held is how long it was held at a time, to the next tick.
	Held time.Duration
	// Waited is how many others waited for the table at once.
	Waited int
}

// tick is how often locks are looked at.
const tick = 10 * time.Millisecond

// locks looks at the locks of a database.
type locks struct {
	db    *store.DB
	query string // empty: the database has none of tables
	ended chan struct{}

	mu    sync.Mutex
	since map[Lock]time.Time // of those that are held
	found map[Lock]*Lock
}

// next returns the locks since the last call.
func (l *locks) next() (all []Lock) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, of := range l.found {
		all = append(all, *of)
	}
	l.found, l.since = map[Lock]*Lock{}, map[Lock]time.Time{}
	slices.SortFunc(all, func(a, b Lock) int { return cmp.Or(cmp.Compare(b.Held, a.Held), cmp.Compare(a.Table, b.Table)) })
	return all
}

func (l *locks) run(ctx context.Context) {
	defer close(l.ended)
	if l.query == "" {
		return
	}
	ticks := time.NewTicker(tick)
	defer ticks.Stop()
	for ctx.Err() == nil {
		l.look(ctx)
		select {
		case <-ctx.Done():
		case <-ticks.C:
		}
	}
}

// look reads which locks there are. One that can't be read is seen at the next tick.
func (l *locks) look(ctx context.Context) {
	at := time.Now()
	rows, err := l.db.QueryContext(ctx, l.query)
	if err != nil {
		return
	}
	defer rows.Close()
	held := map[Lock]int{}
	for rows.Next() {
		var of Lock
		var waited sql.NullInt64
		if rows.Scan(&of.Table, &of.Mode, &waited) == nil {
			held[of] = int(waited.Int64)
		}
	}
	if rows.Err() != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	maps.DeleteFunc(l.since, func(of Lock, _ time.Time) bool { _, still := held[of]; return !still })
	for of, waited := range held {
		if _, had := l.since[of]; !had {
			l.since[of] = at
		}
		if l.found[of] == nil {
			l.found[of] = &Lock{Table: of.Table, Mode: of.Mode}
		}
		is := l.found[of]
		is.Held, is.Waited = max(is.Held, time.Since(l.since[of])), max(is.Waited, waited)
	}
}
