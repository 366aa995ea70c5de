package store

import (
	"context"
	"database/sql/driver"
	"maps"
	"strconv"
	"time"

	"entgo.io/ent/dialect"
	"github.com/lib/pq"
)

func openPostgres(c Config) (*DB, error) {
	config, err := pq.NewConfig(HostsURL(c.URL))
	if err != nil {
		return nil, err
	}
	if config.ApplicationName == "" {
		config.ApplicationName = "entwine"
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = 5 * time.Second
	}
	settings := map[string]string{
		"timezone":          "UTC",
		"statement_timeout": milliseconds(c.StatementTimeout),
		"lock_timeout":      milliseconds(c.LockTimeout),
		// A transaction whose process hangs must not hold its locks for ever.
		"idle_in_transaction_session_timeout": milliseconds(time.Minute),
	}
	maps.Copy(settings, config.Runtime) // the URL's word is the last
	config.Runtime = settings
	patience := time.Duration(0)
	if c.StatementTimeout > 0 {
		patience = c.StatementTimeout + grace
	}
	dial := func(ctx context.Context) (driver.Conn, *wire, error) {
		base, err := pq.NewConnectorConfig(config.Clone())
		if err != nil {
			return nil, nil, err
		}
		d := &dialer{patience: patience, plain: config.SSLMode == pq.SSLModeDisable && !config.DisablePreparedBinaryResult}
		base.Dialer(d)
		c, err := base.Connect(ctx)
		d.connected.Store(err == nil)
		return c, d.last.Load(), err
	}
	db := &DB{Dialect: dialect.Postgres}
	all := newPool(&connector{driver: pq.Driver{}, dial: dial, statements: c.Statements, observer: c.Observer, figures: c.Figures, wrote: &db.wrote, lineage: &db.lineage}, c, c.Conns)
	all.SetConnMaxIdleTime(5 * time.Minute)
	all.SetConnMaxLifetime(time.Hour)
	db.write, db.read = all, all
	return db, nil
}

// milliseconds writes a timeout as a setting, where 0 is never.
func milliseconds(d time.Duration) string {
	return strconv.FormatInt(max(d, 0).Milliseconds(), 10)
}
