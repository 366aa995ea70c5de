package store

import (
	"context"
	"database/sql/driver"
)

// Begin starts a transaction. database/sql calls BeginTx.
func (c *conn) Begin() (driver.Tx, error) {
	return c.BeginTx(context.Background(), driver.TxOptions{})
}

// BeginTx starts a transaction.
func (c *conn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	if err := c.refresh(ctx); err != nil {
		return nil, err
	}
	c.note(ctx, "BEGIN")
	tx, err := c.baseConn.BeginTx(ctx, opts)
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
	(*conn)(t).note(t.txLast, "COMMIT")
	return t.end().Commit()
}

// Rollback ends the transaction.
func (t *connTx) Rollback() error {
	(*conn)(t).note(t.txLast, "ROLLBACK")
	return t.end().Rollback()
}

func (t *connTx) end() driver.Tx {
	tx := t.tx
	t.tx, t.txLast = nil, nil
	return tx
}
