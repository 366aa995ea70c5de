package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/entwine-go/entwine/kit/internal/carry"
)

// connector wraps a driver's connections in [conn].
type connector struct {
	driver     driver.Driver
	dial       func(context.Context) (driver.Conn, *wire, error)
	statements int
	sqlite     bool
	guard      *guard // of SQLite's files
	writes     bool   // the connections of SQLite's writer
	lineage    *lineage
	observer   Observer
	figures    *Figures
	// wrote is called when a connection comes back to the pool that has written.
	wrote *atomic.Pointer[func()]
	// shares are those of the connector's pool.
	shares *shares
	// stale counts the times a plan was found to be out of date: each
	// connection then forgets its statements before it uses another.
	stale atomic.Int64
	// changed is when that was last, in nanoseconds since 1970.
	changed atomic.Int64
	link    *link // to PostgreSQL
	// followed says that there are replicas, which requests that write must not read.
	followed bool
	replica  *replica // that the connections are to
	probes   bool     // they only ask how far a server is
}

// pooled reports whether a pooler stands between.
func (o *connector) pooled() bool { return o.link != nil && o.link.pooled.Load() }

// Driver returns the driver.
func (o *connector) Driver() driver.Driver { return o.driver }

// Connect opens a connection.
func (o *connector) Connect(ctx context.Context) (driver.Conn, error) {
	c, w, err := o.dial(ctx)
	if err != nil {
		return nil, err
	}
	base, ok := c.(baseConn)
	if !ok {
		return nil, errors.Join(fmt.Errorf("%T lacks an interface of database/sql", c), c.Close())
	}
	standby := false
	switch {
	case o.sqlite || o.probes:
	case o.replica != nil:
		if err := o.replica.admit(ctx, base, w); err != nil {
			return nil, errors.Join(err, c.Close())
		}
	default:
		var identity string
		identity, standby = strings.CutSuffix(identify(ctx, base), standbyMark)
		o.lineage.compare(identity)
	}
	check, _ := c.(driver.NamedValueChecker)
	return &conn{baseConn: base, wire: w, owner: o, check: check, cache: newCache(o.statements), seen: o.stale.Load(), born: o.lineage.number(), standby: standby}, nil
}

// baseConn has the methods that both drivers' connections have.
type baseConn interface {
	driver.Conn
	driver.ConnPrepareContext
	driver.ConnBeginTx
	driver.QueryerContext
	driver.ExecerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// conn is a driver's connection with a cache of prepared statements. Like
// any driver's, it is used by one goroutine at a time.
type conn struct {
	baseConn
	wire  *wire // nil on SQLite
	owner *connector
	check driver.NamedValueChecker // nil where the driver has none
	cache *cache
	seen  int64 // owner.stale when the cache was last emptied
	born  int64 // the lineage that it was opened in
	// standby is set where the server was one. The connection is used once: after a
	// promotion the next one has another timeline.
	standby bool

	tx     driver.Tx       // the running transaction
	txLast context.Context // its context, for the log of its end
	spent  bool            // not to be used again: see [DB.Session]
	wrote  bool            // since it was taken from the pool
	lent   Caller          // for whom it counts
	// takes is called with the rows of the statement that runs next, as they are
	// sent, and nil once it was: see [DB.EachSent].
	takes func(values []driver.Value) error
	sent  int64 // how many these were
}

var (
	_ driver.QueryerContext    = (*conn)(nil)
	_ driver.ExecerContext     = (*conn)(nil)
	_ driver.ConnBeginTx       = (*conn)(nil)
	_ driver.NamedValueChecker = (*conn)(nil)
)

// QueryContext runs a statement that returns rows.
func (c *conn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	began := time.Now()
	if c.tx == nil && c.owner.writes && changes(text) {
		if err := c.owner.mayCommit(); err != nil {
			return nil, err
		}
	}
	rows, err := c.query(ctx, text, args, began)
	told := c.tell(ctx, text, began, err)
	if err == nil && c.tx == nil && !c.spent {
		c.lend(c.owner.shares.callerOf(ctx)) // until the rows are closed
	}
	if told != nil && err == nil {
		rows = count(rows, told)
	}
	return rows, err
}

// ExecContext runs a statement that returns no rows.
func (c *conn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	if c.owner.observer == nil && c.owner.figures == nil {
		return c.alone(ctx, text, args, time.Time{})
	}
	began := time.Now()
	result, err := c.alone(ctx, text, args, began)
	if told := c.tell(ctx, text, began, err); told != nil && err == nil {
		if n, err := result.RowsAffected(); err == nil {
			told(n)
		}
	}
	return result, err
}

// alone is exec, around which the files are looked at where the statement commits.
func (c *conn) alone(ctx context.Context, text string, args []driver.NamedValue, began time.Time) (driver.Result, error) {
	if c.tx != nil || !c.owner.writes || reads(text) {
		return c.exec(ctx, text, args, began)
	}
	if err := c.owner.mayCommit(); err != nil {
		return nil, err
	}
	result, err := c.exec(ctx, text, args, began)
	return result, c.owner.guard.kept(err)
}

// mayCommit refuses a statement that commits by itself while there is trouble.
func (o *connector) mayCommit() error {
	if !o.writes {
		return nil
	}
	if err := o.guard.admit(); err != nil {
		return err
	}
	return o.guard.ready()
}

func (c *conn) query(ctx context.Context, text string, args []driver.NamedValue, began time.Time) (driver.Rows, error) {
	c.note(ctx, text)
	for first := true; ; first = false {
		s, err := c.prepared(ctx, text, len(args))
		if err != nil {
			return nil, c.failed(text, err)
		}
		var rows driver.Rows
		if s == nil {
			rows, err = c.baseConn.QueryContext(ctx, text, args)
		} else {
			rows, err = c.queryPrepared(ctx, s, args)
			s.figure.add(began)
		}
		if err == nil {
			return c.wrap(rows, s), nil
		}
		if again := s != nil && c.outdated(s, err); !again || !first {
			return nil, c.failed(text, err)
		}
	}
}

// queryPrepared runs a statement. Rows that are taken as they are sent have been
// when it returns.
func (c *conn) queryPrepared(ctx context.Context, s *statement, args []driver.NamedValue) (driver.Rows, error) {
	ctx = c.wire.watch(ctx)
	if c.takes != nil && s.columns != nil {
		c.wire.sieve.take(s.columns, c.takes)
		rows, err := s.QueryContext(ctx, args)
		if c.wire.sieve.done(); err == nil {
			c.takes = nil
		}
		return rows, err
	}
	rows, err := s.QueryContext(ctx, args)
	if err == nil && !s.known && c.wire != nil && c.wire.plain {
		s.columns, s.known = columnsOf(rows), true
	}
	return rows, err
}

func (c *conn) exec(ctx context.Context, text string, args []driver.NamedValue, began time.Time) (driver.Result, error) {
	c.note(ctx, text)
	for first := true; ; first = false {
		s, err := c.prepared(ctx, text, len(args))
		if err != nil {
			return nil, c.failed(text, err)
		}
		var result driver.Result
		if s == nil {
			result, err = c.baseConn.ExecContext(ctx, text, args)
		} else {
			result, err = s.ExecContext(c.wire.watch(ctx), args)
			s.figure.add(began)
		}
		if err == nil {
			return result, nil
		}
		if again := s != nil && c.outdated(s, err); !again || !first {
			return nil, c.failed(text, err)
		}
	}
}

// note prepares for a call: it is bounded by its context, recorded in the
// context's log, and known to write or not.
func (c *conn) note(ctx context.Context, text string) {
	c.wrote = c.wrote || changes(text)
	if c.owner.followed && changes(text) {
		carry.From[*Horizon](ctx).wrote()
	}
	if c.wire != nil {
		c.wire.within(ctx)
	}
	if l := logFrom(ctx); l != nil {
		l.add(text)
	}
}

// failed turns a lost connection into an error that database/sql does not
// answer by running the statement again: it may have taken effect. A read,
// and whatever is in a transaction, has not.
func (c *conn) failed(text string, err error) error {
	if c.tx == nil && errors.Is(err, driver.ErrBadConn) && !reads(text) {
		return fmt.Errorf("%w (%s)", errLost, verb(text))
	}
	return err
}

// errLost says that the connection broke while a statement was running.
var errLost = errors.New("the connection to the database was lost")

// ResetSession reports, as an error, that the connection can't be used again.
func (c *conn) ResetSession(ctx context.Context) error {
	if c.outlived() || c.wire != nil && !c.wire.quiet() {
		return driver.ErrBadConn
	}
	return c.baseConn.ResetSession(ctx)
}

// Ping asks the server for an answer.
func (c *conn) Ping(ctx context.Context) error {
	if c.wire != nil {
		c.wire.within(ctx)
	}
	return c.baseConn.Ping(ctx)
}

// unhurry makes the connection wait for ever, and end with its user.
func (c *conn) unhurry() {
	c.spent = true
	if c.wire != nil {
		c.wire.patience = 0
	}
}

// IsValid reports whether the pool may keep the connection. The pool asks
// when it gets the connection back: whatever was written has been committed
// by then, or undone.
func (c *conn) IsValid() bool {
	c.giveBack()
	if c.wrote {
		c.wrote = false
		if f := c.owner.wrote.Load(); f != nil {
			(*f)()
		}
	}
	return !c.spent && !c.outlived() && c.baseConn.IsValid()
}

// outlived reports whether the connection is one to what was the database before.
func (c *conn) outlived() bool {
	return c.standby || c.born != c.owner.lineage.number() || c.owner.guard.stale()
}

// Close closes the connection and with it its statements.
func (c *conn) Close() error {
	c.giveBack()
	if c.owner.sqlite {
		c.cache.clear() // SQLite keeps a database open that has statements
	}
	if c.wire != nil {
		c.wire.within(context.Background()) // the last statement's deadline is over
	}
	c.owner.replica.closed(c.wire)
	return c.owner.guard.close(c.baseConn.Close)
}
