package app

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"strings"

	"github.com/entwine-go/entwine/kit/store"
)

// drillDump restores a dump into another database of the server, which is dropped
// whatever comes of it.
func (p *Process) drillDump(ctx context.Context, file, dir string) (err error) {
	if !p.onPostgres() {
		return errors.New("it is of pg_dump, and this service's database is a file of SQLite")
	}
	program, err := exec.LookPath("pg_restore")
	if err != nil {
		return fmt.Errorf("%w: it comes with PostgreSQL's client programs", err)
	}
	db, err := store.Open(ctx, store.Config{URL: p.Config.Database.Server()})
	if err != nil {
		return fmt.Errorf("ENTWINE_DATABASE_URL: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	name := "drill_" + strings.ToLower(rand.Text()[:12])
	if err := unbounded(ctx, db, "CREATE DATABASE "+name); err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, unbounded(context.WithoutCancel(ctx), db, "DROP DATABASE "+name))
	}()
	aside, env, err := databaseOf(p.Config.Database.Server(), name)
	if err != nil {
		return err
	}
	args, _ := pgFlags(aside)
	args = append(args, "--exit-on-error", "--no-owner", "--dbname="+name, file)
	restore := exec.CommandContext(ctx, program, args...)
	restore.Env = append(os.Environ(), env...)
	if out, err := restore.CombinedOutput(); err != nil {
		return fmt.Errorf("pg_restore: %w: %s", err, out)
	}
	fmt.Fprintf(p.Stdout, "%s is whole\n", file)
	return p.try(ctx, aside, dir)
}

// unbounded runs a statement without a limit of time, outside of transactions.
func unbounded(ctx context.Context, db *store.DB, text string) error {
	conn, err := db.Session(ctx)
	if err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, text)
	return errors.Join(err, conn.Close())
}

// databaseOf is the URL of another database of a server, and the password for
// PostgreSQL's programs.
func databaseOf(server, name string) (address string, env []string, err error) {
	u, err := url.Parse(store.HostsURL(server))
	if err != nil {
		return "", nil, err
	}
	q := u.Query()
	u.Path = "/" + name
	if q.Has("dbname") {
		q.Set("dbname", name)
	}
	u.RawQuery = q.Encode()
	word, _ := u.User.Password()
	if word = cmp.Or(word, q.Get("password")); word != "" {
		env = append(env, "PGPASSWORD="+word)
	}
	for _, parameter := range []string{"sslmode", "sslrootcert", "sslcert", "sslkey"} {
		if value := q.Get(parameter); value != "" {
			env = append(env, "PG"+strings.ToUpper(parameter)+"="+value)
		}
	}
	return u.String(), env, nil
}
