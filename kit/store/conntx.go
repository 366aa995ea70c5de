package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"time"
)

// Begin starts a transaction. database/sql calls BeginTx.
func (c *conn) Begin() (driver.Tx, error) {
	return c.BeginTx(context.Background(), driver.TxOptions{})
}

// BeginTx starts a transaction.
func (c *conn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	c.note(ctx, "BEGIN")
	if c.owner.writes {
		if err := c.owner.guard.admit(); err != nil {
			return nil, err
		}
	}
	if err := c.refresh(ctx); err != nil {
		return nil, err
	}
	began := time.Now()
	tx, err := c.baseConn.BeginTx(ctx, opts)
	c.tell(ctx, "BEGIN", began, err)
	if err != nil {
		return nil, err
	}
	c.tx, c.txLast = tx, ctx
	return (*connTx)(c), nil
}

// connTx is the connection's running transaction.
type connTx conn

// Commit ends the transaction.
func (t *connTx) Commit() error {
	c := (*conn)(t)
	if !c.owner.writes {
		return c.end("COMMIT", driver.Tx.Commit)
	}
	if err := c.owner.guard.ready(); err != nil {
		return errors.Join(err, c.end("ROLLBACK", driver.Tx.Rollback))
	}
	return c.owner.guard.kept(c.end("COMMIT", driver.Tx.Commit))
}

// Rollback ends the transaction.
func (t *connTx) Rollback() error {
	return (*conn)(t).end("ROLLBACK", driver.Tx.Rollback)
}

// end ends the running transaction, in one of the two ways.
func (c *conn) end(text string, how func(driver.Tx) error) error {
	ctx, tx, began := c.txLast, c.tx, time.Now()
	c.note(ctx, text)
	c.tx, c.txLast = nil, nil
	err := how(tx)
	c.tell(ctx, text, began, err)
	return err
}
