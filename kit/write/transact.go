package write

import "context"

// read has the caller read the row.
func (c *Call) read(ctx context.Context, row Row) error {
	if c.Read == nil {
		return nil
	}
	return c.Read(ctx, row)
}

// transact runs fn, in a transaction where that needs one.
func (e *Engine) transact(ctx context.Context, needed bool, fn func(context.Context) error) error {
	if !needed {
		return fn(ctx)
	}
	return e.DB.InTx(ctx, fn)
}
