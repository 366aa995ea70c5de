package storetest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/lib/pq"

	"github.com/entwine-go/entwine/kit/pgserver"
)

// Pooler starts a PgBouncer of the test's own before the server at an address, in
// transaction mode with four connections for each database, and skips the test where
// there is none. It stops with the test.
func Pooler(t testing.TB, server string, settings ...string) *pgserver.Pooler {
	t.Helper()
	b, stop, err := startPooler(t.Context(), server, settings...)
	if errors.Is(err, pgserver.ErrNoPooler) {
		Missing(t, "pgbouncer", err)
	}
	if err != nil {
		t.Fatalf("start PgBouncer: %v", err)
	}
	t.Cleanup(stop)
	return b
}

func startPooler(ctx context.Context, server string, settings ...string) (*pgserver.Pooler, func(), error) {
	dir, err := os.MkdirTemp("", "entwine-pooler-")
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	if err != nil {
		return nil, nil, err
	}
	b, err := pgserver.StartPooler(ctx, server, dir, settings...)
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	return b, func() {
		b.Stop()
		_ = os.RemoveAll(dir)
	}, nil
}

// Held is how many of so many transactions a test may hold open while others have to go
// on: with the pooler fewer than it has connections.
func Held(transactions int) int {
	if os.Getenv("ENTWINE_TEST_POOLER") == "" {
		return transactions
	}
	return min(transactions, 2)
}

// shared is the pooler of all tests of this process, which ends with it. A number in
// ENTWINE_TEST_POOLER is how many connections it has for each database: four, where
// tests that hold more transactions open than that need more.
var shared = sync.OnceValues(func() (*pgserver.Pooler, error) {
	server, err := pgserver.Shared(context.Background())
	if err != nil {
		return nil, err
	}
	var settings []string
	if n, err := strconv.Atoi(os.Getenv("ENTWINE_TEST_POOLER")); err == nil {
		settings = append(settings, fmt.Sprintf("default_pool_size=%d", max(n, 4)))
	}
	b, _, err := startPooler(context.Background(), server, settings...)
	return b, err
})

// Pooled returns the settings of a service with its database behind the pooler, where
// ENTWINE_TEST_POOLER asks for one and the database is of [Schema.PostgresURL].
func Pooled(t testing.TB, settings []string) []string {
	t.Helper()
	const setting, direct = "ENTWINE_DATABASE_URL=", "ENTWINE_DATABASE_DIRECT_URL="
	if os.Getenv("ENTWINE_TEST_POOLER") == "" || slices.ContainsFunc(settings, func(s string) bool { return strings.HasPrefix(s, direct) }) {
		return settings
	}
	settings = slices.Clone(settings)
	for i, pair := range settings {
		address, ok := strings.CutPrefix(pair, setting)
		if u, err := url.Parse(address); !ok || err != nil || !strings.HasPrefix(u.Path, "/"+prefix) {
			continue
		}
		settings[i] = setting + pooled(t, address)
		settings = append(settings, direct+address)
	}
	return settings
}

// pooled returns the address behind a pooler of a database, whose role gets the limits
// that no connection can set there.
func pooled(t testing.TB, direct string) string {
	t.Helper()
	u, err := url.Parse(direct)
	if err != nil {
		t.Fatal(err)
	}
	name := strings.TrimPrefix(u.Path, "/")
	db, err := adminPool(pgserver.WithDatabase(direct, "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range []string{"statement_timeout = '8s'", "lock_timeout = '3s'", "idle_in_transaction_session_timeout = '1min'"} {
		if _, err := db.ExecContext(t.Context(), "ALTER ROLE postgres IN DATABASE "+pq.QuoteIdentifier(name)+" SET "+set); err != nil {
			t.Fatal(err)
		}
	}
	b, err := shared()
	if err != nil {
		t.Fatalf("start PgBouncer: %v", err)
	}
	return b.URL(name)
}
