package storetest

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/entwine-go/entwine/kit/pgserver"
)

// PostgresServer starts a PostgreSQL of the test's own, to be killed and
// paused at will, and skips the test where there is none. Its databases are
// empty. It stops with the test.
func PostgresServer(t testing.TB) *pgserver.Server {
	t.Helper()
	// A test's own folder can't be reached by the user postgres.
	dir, err := os.MkdirTemp("", "entwine-server-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	s, err := pgserver.Start(t.Context(), dir)
	if errors.Is(err, pgserver.ErrMissing) {
		Missing(t, "postgres", err)
	}
	if err != nil {
		t.Fatalf("start PostgreSQL: %v", err)
	}
	t.Cleanup(s.Stop)
	return s
}

// Replicated starts a PostgreSQL of the test's own with so many standbys, which follow it
// and have the further settings, as "max_standby_streaming_delay=0".
func Replicated(t testing.TB, standbys int, settings ...string) (primary *pgserver.Server, replicas []*pgserver.Server) {
	t.Helper()
	primary = PostgresServer(t)
	if err := primary.Replicate(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range standbys {
		dir, err := os.MkdirTemp("", "entwine-standby-")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.RemoveAll(dir) })
		s, err := primary.Follow(t.Context(), dir, settings...)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Kill)
		replicas = append(replicas, s)
	}
	return primary, replicas
}

// NeedPostgres returns the address of the PostgreSQL that tests share, and
// skips the test where there is none.
func NeedPostgres(t testing.TB) string {
	t.Helper()
	server, err := pgserver.Shared(context.WithoutCancel(t.Context()))
	if errors.Is(err, pgserver.ErrMissing) {
		Missing(t, "postgres", err)
	}
	if err != nil {
		t.Fatalf("start PostgreSQL: %v", err)
	}
	return server
}
