package main_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/entwine-go/entwine/migrate/migratetest"
)

// TestRollingRestartsBehindAProxy runs doc/operations/restarting.md: two processes
// behind nginx or HAProxy are stopped and started again, one after the other, and
// no request fails of clients that keep their connections, as the proxies keep theirs.
func TestRollingRestartsBehindAProxy(t *testing.T) {
	t.Parallel()
	for name, launch := range map[string]func(t *testing.T, address string, servers [2]string) *exec.Cmd{"nginx": nginxOfTwo, "haproxy": haproxyOfTwo} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			installed(t, name)
			dir, address, servers := t.TempDir(), unused(t), [2]string{unused(t), unused(t)}
			settings := []string{
				"ENTWINE_DATABASE_URL=" + migratetest.Schema(t).PostgresURL(t), "ENTWINE_DATABASE_CONNS=4", "ENTWINE_RATE_LIMIT=off",
				"ENTWINE_LOG_LEVEL=info", "ENTWINE_DRAIN_TIME=1500ms", "ENTWINE_TRUSTED_PROXIES=127.0.0.1",
			}
			var running [2]*service
			for i, at := range servers {
				running[i] = startIn(t, dir, append(settings, "ENTWINE_ADDR="+at)...)
			}
			token := strings.TrimPrefix(running[0].signUp(t)[1], "Bearer ")
			proxy(t, launch(t, address, servers), address)
			l := sendAllTheTime(t, "http://"+address, token, 8)
			for turn := range *restarts {
				l.until(turn)
				for i, at := range servers {
					running[i].stop(t)
					running[i] = startIn(t, dir, append(settings, "ENTWINE_ADDR="+at)...)
					running[i].output.wait(t, "path=/api/v1/posts") // the proxy has it back
				}
			}
			l.until(*restarts)
			l.stop()
			l.clients.Wait()
			if n := l.failed.Load(); n > 0 {
				t.Errorf("%d of %d requests failed in %d restarts of both, the first with %s", n, l.sent.Load(), *restarts, l.why)
			}
			t.Logf("%d requests, two thirds of them POSTs, in %d restarts of both", l.sent.Load(), *restarts)
		})
	}
}

// proxy starts one, returns once it listens, and stops it with the test.
func proxy(t *testing.T, cmd *exec.Cmd, address string) {
	t.Helper()
	said := new(lockedBuffer)
	cmd.Stdout, cmd.Stderr = said, said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	t.Cleanup(func() { _ = cmd.Process.Signal(syscall.SIGTERM); <-ended })
	for { // it says nothing once it listens
		conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
		if err == nil {
			_ = conn.Close()
			return
		}
		select {
		case <-ended:
			t.Fatalf("the proxy ended:\n%s", said)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// ofTwo is the page's block with the addresses of a test.
func ofTwo(t *testing.T, language, address string, servers [2]string) string {
	t.Helper()
	return replaced(t, fencedAs(t, "operations/restarting.md", language), "10.0.0.1:8080", servers[0], "10.0.0.2:8080", servers[1], "0.0.0.0:8000", address)
}

func nginxOfTwo(t *testing.T, address string, servers [2]string) *exec.Cmd {
	t.Helper()
	return nginxWith(t, t.TempDir(), ofTwo(t, "nginx", address, servers))
}

func haproxyOfTwo(t *testing.T, address string, servers [2]string) *exec.Cmd {
	t.Helper()
	file := filepath.Join(t.TempDir(), "haproxy.cfg")
	text := fmt.Sprintf("global\n    maxconn 200\n%s", ofTwo(t, "haproxy", address, servers))
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return exec.CommandContext(context.WithoutCancel(t.Context()), "haproxy", "-db", "-f", file)
}
