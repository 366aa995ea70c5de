package pgserver_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"testing"

	"github.com/entwine-go/entwine/kit/pgserver"
)

func TestServerOfOnesOwn(t *testing.T) {
	t.Parallel()
	s := start(t)
	query(t, s, true)
	s.Kill()
	query(t, s, false)
	if err := s.Restart(t.Context()); err != nil {
		t.Fatalf("Restart after Kill: %v", err)
	}
	query(t, s, true)
}

func TestSharedIsOneServer(t *testing.T) {
	t.Parallel()
	first, err := pgserver.Shared(t.Context())
	if errors.Is(err, pgserver.ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	second, err := pgserver.Shared(t.Context())
	if err != nil || first != second {
		t.Errorf("Shared() = %q, %v, want %q", second, err, first)
	}
}

func start(t *testing.T) *pgserver.Server {
	t.Helper()
	// A test's own folder can't be reached by the user postgres.
	dir, err := os.MkdirTemp("", "entwine-pgserver-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	s, err := pgserver.Start(t.Context(), dir)
	if errors.Is(err, pgserver.ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	return s
}

func query(t *testing.T, s *pgserver.Server, want bool) {
	t.Helper()
	db, err := sql.Open("postgres", s.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.PingContext(context.Background()); (err == nil) != want {
		t.Errorf("the server answers %v, want an answer: %v", err, want)
	}
}
