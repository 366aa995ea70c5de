package trial

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os/exec"
	"strings"

	"github.com/lib/pq"

	"github.com/entwine-go/entwine/kit/pgserver"
	"github.com/entwine-go/entwine/kit/store"
)

// template is a database of PostgreSQL from which others are made.
type template struct {
	url  string
	drop func() error // of one that was restored, else nil
}

func (s template) base() string         { return s.url }
func (template) dialect() store.Dialect { return store.DialectOf("postgres") }

func (s template) Close() error {
	if s.drop == nil {
		return nil
	}
	return s.drop()
}

func (s template) fork(ctx context.Context) (_ *copied, err error) {
	u, err := url.Parse(s.url)
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("postgres", pgserver.WithDatabase(s.url, "postgres"))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	name := "trial_" + pgserver.Unique()
	if err := pgserver.Create(ctx, db, name, strings.TrimPrefix(u.Path, "/")); err != nil {
		return nil, fmt.Errorf("copy the database, which takes CREATEDB and that nothing is connected to it: %w", err)
	}
	return &copied{url: pgserver.WithDatabase(s.url, name), remove: func() error {
		db, err := sql.Open("postgres", pgserver.WithDatabase(s.url, "postgres"))
		if err != nil {
			return err
		}
		return errors.Join(pgserver.Drop(context.WithoutCancel(ctx), db, name), db.Close())
	}}, nil
}

// restored makes a database of a dump. Owners and rights are left out: who owns what of
// the copy makes no difference.
func restored(ctx context.Context, dump, program string, say func(string)) (_ Source, err error) {
	server, err := pgserver.Dev(ctx)
	if err != nil {
		return nil, fmt.Errorf("a dump is restored on a server: %w: apt-get install postgresql brings one; or ENTWINE_DEV_DATABASE_URL names one on which databases may be made", err)
	}
	path, err := exec.LookPath(program)
	if err != nil {
		return nil, fmt.Errorf("restoring a dump takes PostgreSQL's %s: %w", program, err)
	}
	address, drop, err := pgserver.Scratch(ctx, server)
	if err != nil {
		return nil, err
	}
	s := template{url: address, drop: drop}
	args := []string{"--no-owner", "--no-privileges", "--exit-on-error", "--dbname", address, dump}
	if program == "psql" {
		args = []string{"--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=0", "--dbname", address, "--file", dump}
	}
	say("restores " + dump)
	cmd := exec.CommandContext(ctx, path, args...)
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Run(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w: %s", program, err, strings.TrimSpace(said.String())), s.Close())
	}
	return s, nil
}

// postgresDatabase is the [database] on servers.
type postgresDatabase struct{}

// locks are those that stop others, with how many wait for the table.
func (postgresDatabase) locks() string {
	return `SELECT c.relname, l.mode, (SELECT count(*) FROM pg_locks w WHERE w.relation = l.relation AND w.database = l.database AND NOT w.granted)
FROM pg_locks l JOIN pg_class c ON c.oid = l.relation JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE l.granted AND l.locktype = 'relation' AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND c.relkind IN ('r', 'p')
	AND n.nspname <> 'pg_catalog' AND l.mode IN ('AccessExclusiveLock', 'ExclusiveLock', 'ShareRowExclusiveLock', 'ShareLock')`
}

// columns are those of all tables, with the place of each in the primary key.
func (postgresDatabase) columns() string {
	return `SELECT c.relname, a.attname, coalesce(array_position(i.indkey::int2[], a.attnum) + 1, 0), CASE
	WHEN a.atttypid IN ('int2'::regtype, 'int4'::regtype, 'int8'::regtype) THEN 'number'
	WHEN a.atttypid IN ('text'::regtype, 'varchar'::regtype) THEN 'text' WHEN a.atttypid = 'uuid'::regtype THEN 'bytes' ELSE '' END
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = current_schema()
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
WHERE c.relkind IN ('r', 'p') ORDER BY 1, a.attnum`
}

func (postgresDatabase) order(c column) string {
	if c.form == "text" {
		return "t." + pq.QuoteIdentifier(c.name) + ` COLLATE "C"`
	}
	return "t." + pq.QuoteIdentifier(c.name)
}
