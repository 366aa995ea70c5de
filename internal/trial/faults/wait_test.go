package faults_test

import (
	"context"
	"strings"
	"syscall"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

// A service that starts before its database waits for it, says so, and serves then.
func TestAServiceWaitsForItsDatabase(t *testing.T) {
	t.Parallel()
	server := storetest.PostgresServer(t)
	server.Kill()
	address := server.URL("postgres")
	_, errs, code := trial.Run(t, t.TempDir(), "user", "list", "--database-url", address)
	if code != 1 || !strings.Contains(errs, "ENTWINE_DATABASE_URL") || !strings.Contains(errs, "connection refused") {
		t.Errorf("without waiting: %d %s", code, errs)
	}
	cmd, output := trial.Command(t, t.TempDir(), "serve"), new(trial.Log)
	cmd.Env = append(cmd.Env, "ENTWINE_ADDR=127.0.0.1:0", "ENTWINE_DATABASE_WAIT=10m", "ENTWINE_DATABASE_URL="+address)
	cmd.Stdout, cmd.Stderr = output, output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	output.Wait(t, "waiting for the database")
	if err := server.Restart(context.WithoutCancel(t.Context())); err != nil {
		t.Error(err)
	}
	output.Wait(t, "entwine listens on")
	_ = cmd.Process.Signal(syscall.SIGTERM) // if it has ended, Wait says how
	if err := cmd.Wait(); err != nil {
		t.Errorf("it ended with %v\n%s", err, output)
	}
}
