package store

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"sync"
	"time"
)

// Estimate is the database's estimate of a statement before it runs, in the units of
// PostgreSQL's planner: 1 is a page of 8 kB that is read in order
// (https://www.postgresql.org/docs/current/runtime-config-query.html).
type Estimate struct {
	Units float64
	// Most is [Config.MostRead]: 0 for no bound.
	Most float64
}

// Within reports whether the statement may run.
func (e Estimate) Within() bool { return e.Most == 0 || e.Units <= e.Most }

// The sizes from which on a table's statements are worth an estimate, and how long a
// size is believed.
const (
	largePages = 2_000  // of PostgreSQL, 16 MB
	largeRows  = 50_000 // of SQLite
	sizeAge    = time.Minute
	// rowUnits is the estimate for reading a row on SQLite, which has no units of its own.
	rowUnits = 0.05
)

// sizes remembers how large tables are, each for [sizeAge].
type sizes struct {
	mu sync.Mutex
	of map[string]sized
}

type sized struct {
	rows  int64 // on PostgreSQL pages
	until time.Time
}

// Estimate asks the database what the statement, which reads the table, is expected to
// read. It does not run it. The estimate is 0 where [Config.MostRead] sets no bound
// and where the table is small, which is asked for once a minute.
func (db *DB) Estimate(ctx context.Context, table, text string, args []any) (Estimate, error) {
	e := Estimate{Most: db.mostRead}
	if e.Most == 0 {
		return e, nil
	}
	size, err := db.size(ctx, table)
	if err != nil {
		return e, fmt.Errorf("size of %s: %w", table, err)
	}
	switch {
	case db.Postgres():
		if size >= largePages {
			e.Units, err = db.planned(ctx, text, args)
		}
	case size >= largeRows:
		var whole bool
		if whole, err = db.readsWhole(ctx, text, args); whole {
			e.Units = float64(size) * rowUnits
		}
	}
	if err != nil {
		return e, fmt.Errorf("estimate what is read of %s: %w", table, err)
	}
	return e, nil
}

// size is how many pages (PostgreSQL) or rows (SQLite) the table has, of at most a
// minute ago. Both are known without reading it: by its file, and by the last id that was given.
func (db *DB) size(ctx context.Context, table string) (int64, error) {
	now := time.Now()
	db.sizes.mu.Lock()
	known, ok := db.sizes.of[table]
	db.sizes.mu.Unlock()
	if ok && now.Before(known.until) {
		return known.rows, nil
	}
	text, args := `SELECT pg_relation_size(to_regclass($1)) / 8192`, []any{`"` + table + `"`}
	if !db.Postgres() {
		text, args = `SELECT seq FROM sqlite_sequence WHERE name = ?1`, []any{table}
	}
	err := db.Each(ctx, text, args, func(values []driver.Value) error {
		known.rows, _ = values[0].(int64) // nil for a table without rows
		return nil
	})
	if err != nil {
		return 0, err
	}
	known.until = now.Add(sizeAge)
	db.sizes.mu.Lock()
	defer db.sizes.mu.Unlock()
	if db.sizes.of == nil {
		db.sizes.of = map[string]sized{}
	}
	db.sizes.of[table] = known
	return known.rows, nil
}

// planned is the cost that PostgreSQL's planner gives the statement with these arguments.
func (db *DB) planned(ctx context.Context, text string, args []any) (float64, error) {
	rows, err := db.QueryContext(ctx, "EXPLAIN (FORMAT JSON) "+text, args...)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	var plan []byte
	for rows.Next() {
		if err := rows.Scan(&plan); err != nil {
			return 0, err
		}
	}
	if err := rows.Err(); err != nil {
		return 0, err
	}
	var root []struct {
		Plan struct {
			Cost float64 `json:"Total Cost"`
		}
	}
	if err := json.Unmarshal(plan, &root); err != nil {
		return 0, fmt.Errorf("a plan: %w", err)
	}
	cost := 0.0
	for _, one := range root {
		cost = math.Max(cost, one.Plan.Cost)
	}
	return cost, nil
}

// readsWhole reports whether SQLite's plan walks through all of the rows that the
// statement calls t, in the order of an index or not.
func (db *DB) readsWhole(ctx context.Context, text string, args []any) (whole bool, err error) {
	err = db.Each(ctx, "EXPLAIN QUERY PLAN "+text, args, func(values []driver.Value) error {
		switch detail := values[len(values)-1].(type) {
		case string:
			whole = whole || detail == "SCAN t" || strings.HasPrefix(detail, "SCAN t ")
		case []byte:
			whole = whole || string(detail) == "SCAN t" || strings.HasPrefix(string(detail), "SCAN t ")
		}
		return nil
	})
	return whole, err
}
