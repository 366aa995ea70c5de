package failover_test

import (
	"database/sql"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

// Behind a PgBouncer in transaction mode a service starts once the role limits what
// waits, migrates past it, and does all that it does without: both APIs, jobs and events.
func TestAServiceBehindAPooler(t *testing.T) {
	t.Parallel()
	direct := storetest.Schema{Key: "empty"}.PostgresURL(t)
	name := direct[strings.LastIndexByte(direct, '/')+1:]
	name, _, _ = strings.Cut(name, "?")
	pooler := storetest.Pooler(t, direct)
	dir, settings := t.TempDir(), []string{"ENTWINE_DATABASE_URL=" + pooler.URL(name)}
	serve := func(settings ...string) string {
		cmd := trial.Command(t, dir, "serve")
		cmd.Env = append(cmd.Env, settings...)
		out, err := cmd.CombinedOutput()
		if err == nil {
			t.Errorf("it serves with %v", settings)
		}
		return string(out)
	}
	said := serve(settings...)
	if want := "ALTER ROLE postgres IN DATABASE " + name + " SET statement_timeout = '8000';"; !strings.Contains(said, want) {
		t.Fatalf("it says %s, want %s", said, want)
	}
	db, err := sql.Open("postgres", direct)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for line := range strings.Lines(said) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "ALTER ROLE ") {
			if _, err := db.ExecContext(t.Context(), line); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
		}
	}
	if err := pooler.Reconnect(t.Context()); err != nil {
		t.Fatal(err)
	}
	if said := serve(settings...); !strings.Contains(said, "ENTWINE_DATABASE_DIRECT_URL is the server's own address") {
		t.Errorf("without a session: %s", said)
	}
	s := trial.StartIn(t, dir, append(settings, "ENTWINE_DATABASE_DIRECT_URL="+direct)...)
	headers := s.SignUp(t)
	s.Ask(t, "POST", "/api/v1/posts", `{"title":"Pools","content":"Of connections","published":true}`, headers...).Want(t, 201, "Pools")
	s.Ask(t, "GET", "/api/v1/posts?search=pool", "", headers...).Want(t, 200, `"total":1`)
	s.Ask(t, "POST", "/graphql", `{"query":"{ posts { title author { name } } }"}`, headers...).Want(t, 200, "Pools")
}

// A migration that waits for another says so, and names the session that holds the lock.
func TestAStartThatWaitsForAMigrationSaysSo(t *testing.T) {
	t.Parallel()
	address := storetest.Schema{Key: "empty"}.PostgresURL(t)
	db, err := sql.Open("postgres", address)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	const lock = 0x656e7477696e65 // "entwine"
	if _, err := conn.ExecContext(t.Context(), fmt.Sprintf("SELECT pg_advisory_lock(%d)", lock)); err != nil {
		t.Fatal(err)
	}
	cmd, output := trial.Command(t, t.TempDir(), "serve"), new(trial.Log)
	cmd.Env = append(cmd.Env, "ENTWINE_ADDR=127.0.0.1:0", "ENTWINE_DATABASE_URL="+address)
	cmd.Stdout, cmd.Stderr = output, output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	output.Wait(t, "after another process that migrates")
	output.Wait(t, fmt.Sprintf("SELECT pg_advisory_lock(%d)", lock))
	if err := conn.Close(); err != nil {
		t.Error(err)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	output.Wait(t, "entwine listens on")
	_ = cmd.Process.Signal(syscall.SIGTERM) // if it has ended, Wait says how
	if err := cmd.Wait(); err != nil {
		t.Errorf("it ended with %v\n%s", err, output)
	}
}
