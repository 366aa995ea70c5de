package pgserver

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/lib/pq"
)

// Scratch makes an empty database on a server and returns its address; the
// caller drops it.
func Scratch(ctx context.Context, server string) (address string, drop func() error, err error) {
	db, err := sql.Open("postgres", server)
	if err != nil {
		return "", nil, err
	}
	defer db.Close()
	name := "scratch_" + Unique()
	if err := Create(ctx, db, name, "template0"); err != nil {
		return "", nil, err
	}
	return WithDatabase(server, name), func() error {
		db, err := sql.Open("postgres", server)
		if err != nil {
			return err
		}
		defer db.Close()
		return Drop(context.WithoutCancel(ctx), db, name)
	}, nil
}

// Execer is a pool or a connection.
type Execer interface {
	// ExecContext runs a statement, as [sql.DB.ExecContext] does.
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// Create makes a database like the template. The template's files are copied:
// the default since PostgreSQL 15, WAL_LOG, writes every page to the log as
// well and takes three times as long.
func Create(ctx context.Context, db Execer, name, template string) error {
	create := fmt.Sprintf("CREATE DATABASE %s TEMPLATE %s", pq.QuoteIdentifier(name), pq.QuoteIdentifier(template))
	_, err := db.ExecContext(ctx, create+" STRATEGY FILE_COPY")
	if unknownStrategy(err) {
		_, err = db.ExecContext(ctx, create)
	}
	return err
}

// unknownStrategy reports whether the server is older than 15, where copying
// files is the only strategy and the option is a syntax error.
func unknownStrategy(err error) bool {
	const syntaxError = "42601"
	var failed *pq.Error
	return errors.As(err, &failed) && failed.Code == syntaxError
}

// Drop removes a database, and ends the connections to it.
func Drop(ctx context.Context, db Execer, name string) error {
	_, err := db.ExecContext(ctx, "DROP DATABASE IF EXISTS "+pq.QuoteIdentifier(name)+" WITH (FORCE)")
	return err
}

// WithDatabase returns the address of another database on the server.
func WithDatabase(server, name string) string {
	u, err := url.Parse(server)
	if err != nil {
		panic(err) // a pool was opened with it
	}
	u.Path = "/" + name
	return u.String()
}

// Unique returns a name for a database or a key that no other process makes.
func Unique() string { return strings.ToLower(rand.Text()[:12]) }
