package store

import (
	"context"
	"database/sql"
	"errors"
	"iter"

	"entgo.io/ent/dialect"
)

// clientTx is a transaction that Ent has started: Client.Tx, Client.BeginTx, or a
// mutation of several statements. Where the context has a transaction it is a
// savepoint of that, else one of its own.
//
// It is a whole driver, so that hooks of schemas have InTx, Lock and Wake in it, too.
type clientTx struct {
	entConn
	db       *DB
	tx       *tx
	point    *point // nil for a transaction of its own
	release  func() // of a transaction of its own
	forget   func() // takes it out of those that are open
	ctx      context.Context
	readOnly bool
	ended    bool
	// await is set while OnCommit's hooks run: it waits for the outcome of the
	// enclosing transaction.
	await func() error
}

var _ interface {
	dialect.Tx
	dialect.Driver
} = (*clientTx)(nil)

var (
	errReadOnly = errors.New("the transaction was begun with ReadOnly: it runs no statement that writes")
	errIsolated = errors.New("the context has a transaction, whose isolation is set: call BeginTx with another one outside of InTx and of actions that run in a transaction, or call Tx, which joins it")
	errInner    = errors.New("the transaction of Ent's client can't end inside of an InTx that has begun after it: return from that first")
	errLeftOpen = errors.New("a transaction of Ent's client was begun here and neither committed nor rolled back: call its Commit or Rollback before the end of the function")
	errGoneBack = errors.New("the enclosing transaction was rolled back")
)

// BeginTx starts the transaction of Client.Tx and Client.BeginTx: a savepoint of the
// context's transaction, if there is one.
func (d *entDriver) BeginTx(ctx context.Context, opts *sql.TxOptions) (dialect.Tx, error) {
	readOnly := opts != nil && opts.ReadOnly
	if t := d.db.current(ctx); t != nil {
		if opts != nil && opts.Isolation != sql.LevelDefault {
			return nil, errIsolated
		}
		p, err := t.push(ctx)
		if err != nil {
			return nil, err
		}
		c := &clientTx{entConn: entConn{t}, db: d.db, tx: t, point: p, ctx: ctx, readOnly: readOnly}
		p.client = c
		return c, nil
	}
	if d.db.Dialect.SingleWriter() {
		opts = nil // its transactions are serializable, and readOnly is held here
	}
	c, err := d.own(ctx, opts)
	if err != nil {
		return nil, err
	}
	c.readOnly = readOnly
	c.forget = d.db.open.add(c)
	return c, nil
}

// own starts a transaction of its own.
func (d *entDriver) own(ctx context.Context, opts *sql.TxOptions) (*clientTx, error) {
	t, release, err := d.db.begin(ctx, opts)
	if err != nil {
		return nil, err
	}
	return &clientTx{entConn: entConn{t}, db: d.db, tx: t, release: release, ctx: ctx}, nil
}

// Exec runs a statement.
func (c *clientTx) Exec(ctx context.Context, query string, args, v any) error {
	if err := c.runs(query); err != nil {
		return err
	}
	return c.entConn.Exec(ctx, query, args, v)
}

// Query runs a statement that returns rows.
func (c *clientTx) Query(ctx context.Context, query string, args, v any) error {
	if err := c.runs(query); err != nil {
		return err
	}
	return c.entConn.Query(ctx, query, args, v)
}

// runs refuses statements that can't be run.
func (c *clientTx) runs(query string) error {
	if c.ended {
		return sql.ErrTxDone
	}
	if c.readOnly && !reads(query) {
		return errReadOnly
	}
	return nil
}

// Commit ends the transaction. A savepoint is released, and takes effect with the
// enclosing transaction.
func (c *clientTx) Commit() error {
	if c.ended {
		return sql.ErrTxDone
	}
	if c.point == nil {
		return c.commit()
	}
	if err := c.tx.keep(c.ctx, c.point); err != nil {
		return err
	}
	if c.await != nil {
		return c.await()
	}
	return nil
}

// commit ends a transaction of its own.
func (c *clientTx) commit() error {
	err := errors.Join(c.tx.broken, c.tx.leftOpen(0))
	if err != nil {
		err = errors.Join(err, rollbackError(c.tx.Rollback()))
	} else {
		err = commitError(c.tx.Commit())
	}
	c.end(err)
	return err
}

// Rollback undoes what was done since the transaction was begun.
func (c *clientTx) Rollback() error {
	if c.ended {
		return sql.ErrTxDone
	}
	if c.point != nil {
		return c.tx.back(c.ctx, c.point)
	}
	err := c.tx.Rollback()
	c.end(errors.Join(errGoneBack, err))
	return err
}

// end has a transaction of its own be over, with err where it took no effect.
func (c *clientTx) end(err error) {
	c.ended = true
	if c.forget != nil {
		c.forget()
	}
	c.release()
	if err != nil {
		c.tx.drop(0, err)
		return
	}
	c.tx.conclude(c.ctx)
}

// Hooked runs the hooks of OnCommit, which call [clientTx.Commit]. Their work
// before the commit is done now, and their work after it once the outcome of the
// enclosing transaction is known, with its error: Commit of a savepoint commits
// nothing yet.
func (c *clientTx) Hooked(hooks func() error) error {
	if c.point == nil {
		return hooks()
	}
	var result, outcome error
	resume, _ := iter.Pull(func(yield func(struct{}) bool) {
		c.await = func() error { yield(struct{}{}); return outcome }
		result = hooks()
	})
	if _, waiting := resume(); !waiting {
		c.await = nil
		return result // no hook has called Commit, or it has failed
	}
	c.tx.after = append(c.tx.after, ending{
		kept:   func(context.Context) { resume() },
		undone: func(err error) { outcome = err; resume() },
	})
	return nil
}

// Within returns a context in which the kit's calls join the transaction.
func (c *clientTx) Within(ctx context.Context) context.Context {
	return context.WithValue(ctx, txKey{}, c.tx)
}

// Tx returns the transaction: Ent's mutations begin none within it.
func (c *clientTx) Tx(context.Context) (dialect.Tx, error) {
	return &joinedTx{entConn: c.entConn, tx: c.tx}, nil
}

// Close does nothing.
func (c *clientTx) Close() error { return nil }

// Dialect returns the name of the database.
func (c *clientTx) Dialect() string { return c.db.Dialect.Name() }

// InTx runs fn in a savepoint of the transaction.
func (c *clientTx) InTx(ctx context.Context, fn func(ctx context.Context) error) error {
	if c.ended {
		return sql.ErrTxDone
	}
	return c.tx.join(c.Within(ctx), fn)
}

// Lock is [DB.Lock], until the transaction ends.
func (c *clientTx) Lock(ctx context.Context, name string) error {
	return c.db.Lock(c.Within(ctx), name)
}

// Wake is [DB.Wake], once the transaction has been committed.
func (c *clientTx) Wake(ctx context.Context, topic string) { c.db.Wake(c.Within(ctx), topic) }
