package faults_test

import (
	"context"
	"fmt"
	"net"
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
	if code != 1 || !strings.Contains(errs, fmt.Sprintf("ENTWINE_DATABASE_URL: open database postgres at 127.0.0.1:%d: ", server.Port)) || !strings.Contains(errs, "connection refused") {
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

// The server's own address beside a pooler's does not answer: that is said while migrations
// wait for it, and the error names the setting.
func TestAServerPastAPoolerIsWaitedFor(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0") // it takes connections, and says nothing
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	address, direct := storetest.Schema{Key: "empty"}.PostgresURL(t), "postgres://ada:hush@"+l.Addr().String()+"/shop?sslmode=disable"
	_, errs, code := trial.Run(t, t.TempDir(), "migrate", "up", "--database-url", address, "--database-direct-url", direct)
	if code != 1 || strings.Contains(errs, "hush") {
		t.Errorf("%d %s", code, errs)
	}
	for _, want := range []string{`"the database has not answered yet" setting=ENTWINE_DATABASE_DIRECT_URL`, "ENTWINE_DATABASE_DIRECT_URL: "} {
		if !strings.Contains(errs, want) {
			t.Errorf("it does not say %s: %s", want, errs)
		}
	}
}
