package store

import (
	"context"
	"database/sql"
	"fmt"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
)

// runner runs statements: a pool or a transaction.
type runner interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

var (
	_ runner = (*DB)(nil)
	_ runner = (*tx)(nil)
)

// QueryContext runs a statement that returns rows, in the context's
// transaction if it has one. On SQLite a statement that only reads goes to a
// reader.
func (db *DB) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if t := db.current(ctx); t != nil {
		return t.QueryContext(ctx, query, args...)
	}
	if db.read != db.write && reads(query) {
		return db.read.QueryContext(ctx, query, args...)
	}
	return db.write.QueryContext(ctx, query, args...)
}

// ExecContext runs a statement that returns no rows, in the context's
// transaction if it has one.
func (db *DB) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if t := db.current(ctx); t != nil {
		return t.ExecContext(ctx, query, args...)
	}
	return db.write.ExecContext(ctx, query, args...)
}

// Driver returns the database as Ent sees it. One Ent client over it works
// inside and outside of transactions, whichever the context says.
func (db *DB) Driver() dialect.Driver { return &entDriver{entConn: entConn{db}, db: db} }

// entDriver is Ent's view of the database.
type entDriver struct {
	entConn
	db     *DB
	shared bool
}

// Keep returns the value that the database keeps for the key. fresh makes it of the
// driver, the first time.
func (d *entDriver) Keep(key any, fresh func(dialect.Driver) any) any {
	if kept, ok := d.db.kept.Load(key); ok {
		return kept
	}
	kept, _ := d.db.kept.LoadOrStore(key, fresh(&entDriver{entConn: entConn{d.db}, db: d.db, shared: true}))
	return kept
}

// Shared reports whether the driver is that of something which the database keeps.
func (d *entDriver) Shared() bool { return d.shared }

// Dialect returns the name of the database.
func (d *entDriver) Dialect() string { return d.db.Dialect.Name() }

// Close does nothing: the caller of [Open] closes the database.
func (d *entDriver) Close() error { return nil }

// InTx, Lock and Wake are the database's own, for hooks of schemas: they know
// the driver of a mutation, and must not know this package.

// InTx is [DB.InTx].
func (d *entDriver) InTx(ctx context.Context, fn func(ctx context.Context) error) error {
	return d.db.InTx(ctx, fn)
}

// Lock is [DB.Lock].
func (d *entDriver) Lock(ctx context.Context, name string) error { return d.db.Lock(ctx, name) }

// Wake is [DB.Wake].
func (d *entDriver) Wake(ctx context.Context, topic string) { d.db.Wake(ctx, topic) }

// Tx starts a transaction for Ent, which wants one around a mutation of
// several statements, or joins the one in the context.
func (d *entDriver) Tx(ctx context.Context) (dialect.Tx, error) {
	if t := d.db.current(ctx); t != nil {
		return &joinedTx{entConn: entConn{t}, tx: t}, nil
	}
	return d.own(ctx, nil)
}

// entConn runs Ent's statements.
type entConn struct{ runner }

// Exec runs a statement; v is nil or a *sql.Result.
func (c entConn) Exec(ctx context.Context, query string, args, v any) error {
	list, ok := args.([]any)
	if !ok {
		return fmt.Errorf("arguments are %T, want []any", args)
	}
	result, err := c.ExecContext(ctx, query, list...)
	if err != nil {
		return err
	}
	switch v := v.(type) {
	case nil:
	case *sql.Result:
		*v = result
	default:
		return fmt.Errorf("result is %T, want *sql.Result", v)
	}
	return nil
}

// Query runs a statement whose rows go to v, a *[entsql.Rows].
func (c entConn) Query(ctx context.Context, query string, args, v any) error {
	list, ok := args.([]any)
	if !ok {
		return fmt.Errorf("arguments are %T, want []any", args)
	}
	to, ok := v.(*entsql.Rows)
	if !ok {
		return fmt.Errorf("rows are %T, want *sql.Rows of Ent", v)
	}
	rows, err := c.QueryContext(ctx, query, list...) //nolint:rowserrcheck // Ent asks it
	if err != nil {
		return err
	}
	to.ColumnScanner = rows
	return nil
}
