package database_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/store"
)

// traffic are programs that read and write posts and authors.
type traffic struct {
	t       *testing.T
	address string
	failed  atomic.Int64
	posts   atomic.Int64 // that were written
	added   atomic.Int64 // to prices
	authors atomic.Int64

	mu   sync.Mutex
	took []time.Duration // of each statement
}

// slowest returns how long all but one of a hundred statements took at most, and how long
// the slowest did.
func (w *traffic) slowest() (p99, longest time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	slices.Sort(w.took)
	if n := len(w.took); n > 0 {
		return w.took[n*99/100], w.took[n-1]
	}
	return 0, 0
}

// program is one of them.
type program struct {
	// stop has its clients end, and waits until they have.
	stop func()
	// done is how many rounds its clients have made.
	done *atomic.Int64
	step chan struct{}
}

// rounds waits until its clients have made so many more.
func (p program) rounds(t *testing.T, n int64) {
	t.Helper()
	for until := p.done.Load() + n; p.done.Load() < until; {
		select {
		case <-p.step:
		case <-t.Context().Done():
			t.Fatal("the program makes no progress")
		}
	}
}

// start starts a program whose posts have the columns besides, and the statuses.
func (w *traffic) start(name, columns, values string, statuses []string, bio string) program {
	ctx, cancel := context.WithCancel(w.t.Context())
	var clients sync.WaitGroup
	p := program{done: new(atomic.Int64), step: make(chan struct{}, 1)}
	db, err := store.Open(ctx, store.Config{URL: w.address, Conns: *loadClients + 1})
	if err != nil {
		cancel()
		w.t.Error(err)
		return program{stop: func() {}, done: p.done, step: p.step}
	}
	if columns != "" {
		columns, values = ", "+columns, ", "+values
	}
	for c := range *loadClients {
		clients.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				w.round(db, fmt.Sprintf("%s%d.%d", name, c, n), columns, values, statuses[n%len(statuses)], bio, n)
				p.done.Add(1)
				select {
				case p.step <- struct{}{}:
				default:
				}
				if *loadThink > 0 {
					select {
					case <-ctx.Done():
					case <-time.After(*loadThink):
					}
				}
			}
		})
	}
	p.stop = func() {
		cancel()
		clients.Wait()
		_ = db.Close()
	}
	return p
}

// round has the steps that a client repeats.
func (w *traffic) round(db *store.DB, key, columns, values, status, bio string, n int) {
	post := 1 + (n*7919)%*loadRows
	wrote := func(counter *atomic.Int64, query string, args ...any) {
		began := time.Now()
		_, err := db.ExecContext(w.t.Context(), query, args...)
		took := time.Since(began)
		w.mu.Lock()
		w.took = append(w.took, took)
		w.mu.Unlock()
		if err != nil {
			if w.failed.Add(1) < 5 {
				w.t.Errorf("%s: %v", query, err)
			}
			return
		}
		counter.Add(1)
	}
	title := "t" + key
	if strings.Contains(columns, "title_fold") {
		title = "new"
	}
	wrote(&w.posts, "INSERT INTO posts (title, status, price, author_id"+columns+") VALUES ($1, $2, 10, $3"+values+")", title, status, 1+(n*31)%writers())
	wrote(&w.added, "UPDATE posts SET price = price + 1 WHERE id = $1", post)
	if n%8 == 0 {
		wrote(&w.authors, "INSERT INTO authors (name, email, age"+bio, "a"+key, "e"+key+"@example.com")
	}
	rows, err := db.QueryContext(w.t.Context(), "SELECT id, title, status, price, author_id FROM posts WHERE id = $1", post)
	if err != nil {
		if w.failed.Add(1) < 5 {
			w.t.Error(err)
		}
		return
	}
	_ = rows.Close()
}

// held watches for how long a transaction holds a lock that stops others.
func held(t *testing.T, db *store.DB) (stop func() (longest time.Duration, what string)) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var longest time.Duration
	var what string
	var gone sync.WaitGroup
	gone.Go(func() {
		since := map[string]time.Time{}
		for ctx.Err() == nil {
			now := time.Now()
			found := map[string]bool{}
			rows, err := db.QueryContext(ctx, `SELECT l.virtualtransaction || ' ' || c.relname || ' ' || l.mode FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
WHERE l.granted AND l.locktype = 'relation' AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND c.relkind = 'r'
	AND c.relname IN ('posts', 'authors', 'tags', 'post_tags') AND l.mode IN ('AccessExclusiveLock', 'ExclusiveLock', 'ShareRowExclusiveLock', 'ShareLock')`)
			if err != nil {
				continue
			}
			for rows.Next() {
				var key string
				if err := rows.Scan(&key); err == nil {
					found[key] = true
				}
			}
			_ = rows.Close()
			for key := range found {
				if _, had := since[key]; !had {
					since[key] = now
				}
				if has := time.Since(since[key]); has > longest {
					longest, what = has, key
				}
			}
			maps.DeleteFunc(since, func(key string, _ time.Time) bool { return !found[key] })
			select {
			case <-ctx.Done():
			case <-time.After(20 * time.Millisecond):
			}
		}
	})
	return func() (time.Duration, string) {
		cancel()
		gone.Wait()
		return longest, what
	}
}
