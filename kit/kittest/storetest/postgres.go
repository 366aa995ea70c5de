package storetest

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"os"
	"sync"
	"testing"

	"github.com/entwine-go/entwine/kit/pgserver"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/lib/pq"
)

// Postgres returns a database of the test's own, and skips the test where
// there is no PostgreSQL.
func (s Schema) Postgres(t testing.TB) *store.DB {
	t.Helper()
	direct := s.PostgresURL(t)
	if os.Getenv("ENTWINE_TEST_POOLER") == "" {
		return open(t, store.Config{URL: direct})
	}
	return open(t, store.Config{URL: pooled(t, direct), DirectURL: direct})
}

// PostgresURL returns the address of a database of the test's own.
func (s Schema) PostgresURL(t testing.TB) string {
	t.Helper()
	server := NeedPostgres(t)
	url, drop, err := s.clone(t.Context(), server)
	if err != nil {
		t.Fatalf("clone the template database: %v", err)
	}
	t.Cleanup(func() {
		if err := drop(); err != nil {
			t.Errorf("drop the test's database: %v", err)
		}
	})
	return url
}

// admin is this process's connection to each server.
var admin struct {
	sync.Mutex
	pools map[string]*sql.DB
}

func adminPool(server string) (*sql.DB, error) {
	admin.Lock()
	defer admin.Unlock()
	if db, ok := admin.pools[server]; ok {
		return db, nil
	}
	db, err := sql.Open("postgres", server)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(4)
	db.SetMaxIdleConns(4)
	if admin.pools == nil {
		admin.pools = make(map[string]*sql.DB)
	}
	admin.pools[server] = db
	return db, nil
}

// prefix begins the names of databases that are a test's own.
const prefix = "test_"

// clone makes a database like the schema's template.
func (s Schema) clone(ctx context.Context, server string) (address string, drop func() error, err error) {
	db, err := adminPool(server)
	if err != nil {
		return "", nil, err
	}
	template, err := s.ensureTemplate(ctx, db, server)
	if err != nil {
		return "", nil, err
	}
	name := prefix + pgserver.Unique()
	if err := pgserver.Create(ctx, db, name, template); err != nil {
		return "", nil, err
	}
	return pgserver.WithDatabase(server, name), func() error {
		return pgserver.Drop(context.WithoutCancel(ctx), db, name)
	}, nil
}

// ensureTemplate migrates the template where no process has done so. It gets
// its name last, so that a template with the name is complete.
func (s Schema) ensureTemplate(ctx context.Context, db *sql.DB, server string) (string, error) {
	sum := sha256.Sum256([]byte(s.Key))
	name := "template_" + hex.EncodeToString(sum[:8])
	conn, err := db.Conn(ctx)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	if exists(ctx, conn, name) {
		return name, nil
	}
	const makers = 0x656e7477 // the lock of those who make templates
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock($1)", makers); err != nil {
		return "", err
	}
	defer conn.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", makers)
	if exists(ctx, conn, name) {
		return name, nil
	}
	building := "building_" + pgserver.Unique()
	if err := pgserver.Create(ctx, conn, building, "template0"); err != nil {
		return "", err
	}
	if err := s.fill(ctx, pgserver.WithDatabase(server, building)); err != nil {
		return "", err
	}
	_, err = conn.ExecContext(ctx, "ALTER DATABASE "+pq.QuoteIdentifier(building)+" RENAME TO "+pq.QuoteIdentifier(name))
	return name, err
}

func exists(ctx context.Context, conn *sql.Conn, name string) bool {
	var one int
	return conn.QueryRowContext(ctx, "SELECT 1 FROM pg_database WHERE datname = $1", name).Scan(&one) == nil
}
