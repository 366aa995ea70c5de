package pgserver

import (
	"context"
	"crypto/rand"
	"database/sql"
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
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// Create makes a database like the template.
func Create(ctx context.Context, db Execer, name, template string) error {
	_, err := db.ExecContext(ctx, fmt.Sprintf("CREATE DATABASE %s TEMPLATE %s",
		pq.QuoteIdentifier(name), pq.QuoteIdentifier(template)))
	return err
}

// Drop removes a database, whoever uses it.
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

// Unique returns a name that no other process chooses.
func Unique() string { return strings.ToLower(rand.Text()[:12]) }
