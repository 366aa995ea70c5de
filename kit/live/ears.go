package live

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/entwine-go/entwine/kit/events"
	"github.com/entwine-go/entwine/kit/store"
)

// Topic is the topic of writes of a table that the database announces to live lists.
func Topic(table string) string { return topics + table }

const topics = "live."

// ears hear of writes, for all lists: one subscription to the events of all tables that
// announce theirs. It counts the writes, and a list that began to be read before one of
// them is read again.
type ears struct {
	*Lists
	stop context.CancelFunc
	ctx  context.Context // of the goroutine that hears

	opened sync.Mutex // held while it begins to hear

	mu     sync.Mutex
	sub    *events.Subscription // nil while it does not hear
	tables map[string]bool      // all of the database: whether they announce writes
	recent [remembered]noted    // the writes, each at its count
	missed uint64               // what count was when writes of any table may have been missed last
	count  uint64
	lists  map[string]*index // by the tables that they depend on
}

// noted is a write of a row of a table.
type noted struct {
	table string
	written
}

// remembered is how many writes are compared with a list that was read meanwhile. After
// more of them it is read again.
const remembered = 128

func newEars(l *Lists) *ears {
	ctx, stop := context.WithCancel(context.Background())
	return &ears{Lists: l, ctx: ctx, stop: stop, lists: map[string]*index{}}
}

// heard are the tables and how many writes were heard of at a moment.
type heard struct {
	tables map[string]bool
	count  uint64
}

// hear returns what was heard of until now. Later commits are heard of.
func (e *ears) hear(ctx context.Context) (heard, error) {
	e.opened.Lock()
	defer e.opened.Unlock()
	e.mu.Lock()
	if e.sub != nil {
		defer e.mu.Unlock()
		return heard{e.tables, e.count}, nil
	}
	e.mu.Unlock()
	tables, err := tablesOf(ctx, e.DB)
	if err != nil {
		return heard{}, err
	}
	held, err := takeLease(ctx, e.DB, or(e.Term, time.Minute))
	if err != nil {
		return heard{}, err
	}
	var all []string
	for table, announces := range tables {
		if announces {
			all = append(all, Topic(table))
		}
	}
	sub, err := e.Events.Subscribe(ctx, events.Filter{Topics: all})
	if err != nil {
		return heard{}, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.sub, e.tables = sub, tables
	hearing, deaf := context.WithCancel(e.ctx)
	e.running.Go(func() {
		defer deaf()
		e.listen(sub)
	})
	e.running.Go(func() { e.keep(hearing, held) })
	return heard{e.tables, e.count}, nil
}

// listen counts writes until the subscription ends. Then all lists are read again, of
// which the first has it hear anew.
func (e *ears) listen(sub *events.Subscription) {
	defer sub.Close()
	for {
		event, err := sub.Next(e.ctx)
		if err != nil {
			e.deaf(err)
			return
		}
		e.note(strings.TrimPrefix(event.Topic, topics), event.Payload)
	}
}

// deaf says that writes may have been missed.
func (e *ears) deaf(err error) {
	if e.ctx.Err() != nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.sub = nil
	if errors.Is(err, events.ErrClosed) {
		go e.Close()
		return
	}
	e.warn(e.ctx, "live lists are read anew: writes may have been missed", err)
	e.touchAll()
}

// again has all lists read again whose reading has begun before now.
func (e *ears) again() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.count++
	e.missed = e.count
	e.touchAll()
}

// touchAll has all lists read again, under the lock.
func (e *ears) touchAll() {
	for _, lists := range e.lists {
		for one := range lists.all {
			one.touch()
		}
	}
}

// note has the lists read again that depend on the table, but those that a row that was
// written is nothing to.
func (e *ears) note(table string, payload []byte) {
	written := parseWritten(payload)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.count++
	e.recent[e.count%remembered] = noted{table, written}
	lists := e.lists[table]
	if lists == nil {
		return
	}
	for one := range lists.lists(written) {
		if e.compared.Add(1); one.matcher.concerns(table, written) {
			one.touch()
		}
	}
}

// depends says which tables a list depends on that was read after the count: it is
// read again where a write since may concern it.
func (e *ears) depends(one *list, named *naming, empty bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if one.forgotten {
		return
	}
	anew := e.place(one, newMatcher(one, named, empty), named)
	if e.sub == nil || e.missed > named.heard.count || anew && e.wrote(one, named) {
		one.touch()
	}
}

// wrote reports whether a write may concern the list, placed anew, that was heard of while it was
// read: by its place of before [ears.note] has not found it.
func (e *ears) wrote(one *list, named *naming) bool {
	since := named.heard.count
	if e.count-since > remembered {
		return true
	}
	for n := since + 1; n <= e.count; n++ {
		w := e.recent[n%remembered]
		if named.tables[w.table].statements == 0 {
			continue
		}
		if e.compared.Add(1); one.matcher.concerns(w.table, w.written) {
			return true
		}
	}
	return false
}

// place has the list be found by the tables that it depends on, and reports whether that is
// anew: most readings depend on the same as the one before.
func (e *ears) place(one *list, m *matcher, named *naming) bool {
	if one.placed == len(named.tables) && one.matcher.like(m) && !e.elsewhere(one, named) {
		return false
	}
	e.remove(one)
	one.matcher, one.placed = m, len(named.tables)
	for table := range named.tables {
		if e.lists[table] == nil {
			e.lists[table] = newIndex()
		}
		e.lists[table].add(one, table)
	}
	return true
}

// elsewhere reports whether the list is not found by one of the tables.
func (e *ears) elsewhere(one *list, named *naming) bool {
	for table := range named.tables {
		if lists := e.lists[table]; lists == nil || !lists.has(one) {
			return true
		}
	}
	return false
}

func (e *ears) forget(one *list) {
	e.mu.Lock()
	defer e.mu.Unlock()
	one.forgotten = true
	e.remove(one)
}

func (e *ears) remove(one *list) {
	for table, lists := range e.lists {
		if lists.remove(one); len(lists.all) == 0 {
			delete(e.lists, table)
		}
	}
}

// catalogue lists the tables and views of the database, and the tables whose inserts
// are announced.
var catalogues = store.PerDialect(
	`SELECT c.relname, 'live_of_' || c.relname || '_on_insert' IN (SELECT CAST(tgname AS text) FROM pg_trigger)
	 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
	 WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema')`,
	`SELECT name, 'live_of_' || name || '_on_insert' IN (SELECT name FROM sqlite_master WHERE type = 'trigger')
	 FROM sqlite_master WHERE type IN ('table', 'view')`)

// tablesOf returns the tables of the database, and of each whether it announces writes.
func tablesOf(ctx context.Context, db *store.DB) (map[string]bool, error) {
	rows, err := db.QueryContext(ctx, catalogues.On(db.Dialect))
	if err != nil {
		return nil, fmt.Errorf("list tables: %w", err)
	}
	defer rows.Close()
	all := map[string]bool{}
	for rows.Next() {
		var name string
		var announces bool
		if err := rows.Scan(&name, &announces); err != nil {
			return nil, fmt.Errorf("list tables: %w", err)
		}
		all[strings.ToLower(name)] = announces
	}
	return all, rows.Err()
}
