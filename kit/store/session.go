package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Session returns a connection that may write, for work that takes longer
// than a request: no timeout of statements holds on it. It knows nothing of
// the context's transaction. The caller closes it, which ends the session, so
// that its settings reach no other user of the pool. Behind a pooler that gives no
// sessions it is a connection to [Config.DirectURL], and an error without that.
func (db *DB) Session(ctx context.Context) (*sql.Conn, error) {
	pool, err := db.sessions()
	if err != nil {
		return nil, err
	}
	c, err := pool.Conn(ctx)
	if err != nil {
		return nil, db.directly(err)
	}
	err = c.Raw(func(inner any) error {
		own := inner.(*conn)
		if db.direct != nil {
			if err := db.lendsOut(ctx, own); err != nil {
				return err
			}
		}
		own.unhurry()
		return nil
	})
	if set := db.Dialect.Unhurried(); err == nil && set != "" {
		_, err = c.ExecContext(ctx, set)
	}
	if err == nil && db.direct != nil {
		err = db.sameDatabase(ctx, c)
	}
	if err != nil {
		return nil, errors.Join(db.directly(err), c.Close())
	}
	return c, nil
}

// directly names the setting that an error of a session comes from.
func (db *DB) directly(err error) error {
	if db.direct == nil {
		return err
	}
	return fmt.Errorf("ENTWINE_DATABASE_DIRECT_URL: %w", err)
}

// sessions is the pool whose connections have a session of their own on the server.
func (db *DB) sessions() (*sql.DB, error) {
	switch {
	case db.direct != nil:
		return db.direct.DB, nil
	case db.link != nil && db.link.pooled.Load():
		return nil, errors.New("this needs a session on the server, which a pooler in transaction mode does not give: ENTWINE_DATABASE_DIRECT_URL is the server's own address")
	}
	return db.write.DB, nil
}

// sameDatabase is an error where a direct connection leads to another database.
func (db *DB) sameDatabase(ctx context.Context, direct *sql.Conn) error {
	const text = "SELECT concat_ws('/', (SELECT system_identifier FROM pg_control_system()), current_database())"
	var here, there string
	if err := direct.QueryRowContext(ctx, text).Scan(&there); err != nil {
		return err
	}
	if err := db.write.QueryRowContext(ctx, text).Scan(&here); err != nil {
		return err
	}
	if here != there {
		return fmt.Errorf("it leads to another database (system and name %s) than ENTWINE_DATABASE_URL (%s)", there, here)
	}
	return nil
}
