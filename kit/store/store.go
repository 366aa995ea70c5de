// Package store opens the database and runs transactions.
//
// It is one package because a statement passes through all of it, from the pool over
// the transaction and the connection to the bytes on the wire: these parts share the
// unexported state of a connection.
//
// It owns everything between Ent and the two drivers: the pools, the cache
// of prepared statements, the one form of a time in both databases, and the
// rule that a call belongs to the transaction in its context. It leans on
// database/sql, lib/pq and modernc.org/sqlite, and leaves tables to Ent and
// their changes to package migration.
//
// A call with a context from [DB.InTx] runs in that transaction; any other
// call runs alone. On SQLite there is one connection that writes, so that
// writers queue in Go and never meet a busy database, and a pool of readers
// beside it.
package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/entwine-go/entwine/kit/internal/batch"
)

// Config says which database to open. Only URL is required.
type Config struct {
	// URL is postgres://user@host/name?sslmode=… or sqlite:///path/file.db.
	// sqlite::memory: is a database of its own that Close removes.
	URL string
	// DirectURL is PostgreSQL's own address where URL is that of a pooler in transaction
	// mode: [DB.Session] goes there. It may be empty.
	DirectURL string
	// Replicas are the addresses of PostgreSQL's standbys that answer reads: see [DB.Reads].
	Replicas []string
	// Conns bounds the pool: 16 on PostgreSQL; on SQLite the readers, one for
	// each processor but at least 4.
	Conns int
	// Statements bounds the prepared statements of each connection: 256.
	Statements int
	// StatementTimeout ends a statement on PostgreSQL: 8 s, negative for never.
	StatementTimeout time.Duration
	// Observer is called around each statement. May be nil.
	Observer Observer
	// Figures count the statements that are prepared. Nil: nothing does.
	Figures *Figures
	// LockTimeout ends a wait for a lock: 3 s, negative for never.
	LockTimeout time.Duration
	// Share is how much of a pool of connections each caller may have, in
	// percent, at least one: see [WithCaller]. 0: all of it.
	Share int
	// MostRead bounds what one listing may be estimated to read ([DB.Estimate]): 0 for no bound.
	MostRead float64
	// ShareWait ends a caller's wait for one of their own connections: 5 s.
	ShareWait time.Duration
}

// DB is an open database. It is safe for concurrent use; the caller of Open
// closes it.
type DB struct {
	// Dialect has the database's differences from others.
	Dialect Dialect

	write, read *pool     // the same on PostgreSQL
	link        *link     // to PostgreSQL
	direct      *pool     // past a pooler, nil without an address of its own
	past        *link     // of direct
	replicas    *replicas // nil where there are none
	cleanup     func() error
	wrote       atomic.Pointer[func()]
	woken       atomic.Pointer[func(topic string)]
	group       *batch.Batch[*member] // of InGroup, on SQLite
	file        string                // that others can open too, on SQLite
	guard       *guard                // of the files, on SQLite
	lineage     lineage
	mostRead    float64
	sizes       sizes
	open        openTx
	kept        sync.Map // of Keep
	crowds      crowds   // of Together
}

// Open opens the database and checks that it answers. The caller closes it.
func Open(ctx context.Context, c Config) (*DB, error) {
	c = c.withDefaults()
	var db *DB
	var err error
	switch scheme, _, _ := strings.Cut(c.URL, ":"); scheme {
	case "postgres", "postgresql":
		db, err = openPostgres(c)
	case "sqlite":
		db, err = openSQLite(c)
	default:
		return nil, errors.New("the database URL must begin with postgres:// or sqlite://")
	}
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	db.mostRead = c.MostRead
	for _, admit := range []func(context.Context) error{db.Ping, db.admitEngine, db.admitPooler} {
		if err := admit(ctx); err != nil {
			return nil, errors.Join(fmt.Errorf("open database %s: %w", cmp.Or(db.File(), db.link.String()), err), db.Close())
		}
	}
	return db, nil
}

func (c Config) withDefaults() Config {
	if c.Statements == 0 {
		c.Statements = 256
	}
	if c.StatementTimeout == 0 {
		c.StatementTimeout = 8 * time.Second
	}
	if c.LockTimeout == 0 {
		c.LockTimeout = 3 * time.Second
	}
	if c.ShareWait == 0 {
		c.ShareWait = shareWait
	}
	if c.Conns == 0 {
		c.Conns = 16
		if strings.HasPrefix(c.URL, "sqlite:") {
			c.Conns = max(4, runtime.NumCPU())
		}
	}
	return c
}

// File is the path of the file that SQLite keeps the database in. It is empty
// on PostgreSQL, and for a database that is this process's own.
func (db *DB) File() string { return db.file }

// Ping reports whether the database answers.
func (db *DB) Ping(ctx context.Context) error {
	if err := db.write.PingContext(ctx); err != nil {
		return err
	}
	if db.read == db.write {
		return nil
	}
	return db.read.PingContext(ctx)
}

// Pools returns the figures of the pools of connections by their names: "all"
// on PostgreSQL, "writer" and "readers" on SQLite.
func (db *DB) Pools() map[string]sql.DBStats {
	if db.read == db.write {
		return map[string]sql.DBStats{"all": db.write.Stats()}
	}
	return map[string]sql.DBStats{"writer": db.write.Stats(), "readers": db.read.Stats()}
}

// Waiting returns how many statements and transactions wait because their callers use
// all of their share of the connections ([Config.Share]).
func (db *DB) Waiting() int {
	if db.read == db.write {
		return db.write.shares.waiting()
	}
	return db.write.shares.waiting() + db.read.shares.waiting()
}

// OnWrite has f called after each write of this process, whatever made it, once it has
// been committed or undone. It replaces the function of an earlier call. f must not
// block: the writer waits for it.
func (db *DB) OnWrite(f func()) { db.wrote.Store(&f) }

// OnWake has f called with the topic of each [DB.Wake]. It replaces the function of an
// earlier call. f must not block.
func (db *DB) OnWake(f func(topic string)) { db.woken.Store(&f) }

// Wake calls the function of [DB.OnWake] with the topic once the context's transaction
// has been committed, and not at all if it is undone. Without a transaction it calls
// it at once.
func (db *DB) Wake(ctx context.Context, topic string) {
	AfterCommit(ctx, func(context.Context) {
		if f := db.woken.Load(); f != nil {
			(*f)(topic)
		}
	})
}

// Close closes the database once running statements are done.
func (db *DB) Close() error {
	db.replicas.close()
	err := db.write.Close()
	if db.direct != nil {
		err = errors.Join(err, db.direct.Close())
	}
	if db.read != db.write {
		err = errors.Join(err, db.read.Close())
	}
	if db.cleanup != nil {
		err = errors.Join(err, db.cleanup())
	}
	return err
}
