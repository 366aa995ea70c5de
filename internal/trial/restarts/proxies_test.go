package restarts_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
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
			trial.Installed(t, name)
			dir, address, servers := t.TempDir(), trial.UnusedAddress(t), [2]string{trial.UnusedAddress(t), trial.UnusedAddress(t)}
			settings := []string{
				"ENTWINE_DATABASE_URL=" + migratetest.Schema(t).PostgresURL(t), "ENTWINE_DATABASE_CONNS=4", "ENTWINE_RATE_LIMIT=off",
				"ENTWINE_LOG_LEVEL=info", "ENTWINE_DRAIN_TIME=1500ms", "ENTWINE_TRUSTED_PROXIES=127.0.0.1",
			}
			var running [2]*trial.Service
			for i, at := range servers {
				running[i] = trial.StartIn(t, dir, append(settings, "ENTWINE_ADDR="+at)...)
			}
			token := strings.TrimPrefix(running[0].SignUp(t)[1], "Bearer ")
			trial.Proxy(t, launch(t, address, servers), address)
			l := sendAllTheTime(t, "http://"+address, token, 8)
			for turn := range *restarts {
				l.until(turn)
				for i, at := range servers {
					running[i].Stop(t)
					running[i] = trial.StartIn(t, dir, append(settings, "ENTWINE_ADDR="+at)...)
					running[i].Output.Wait(t, "path=/api/v1/posts") // the proxy has it back
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

// ofTwo is the page's block with the addresses of a test.
func ofTwo(t *testing.T, language, address string, servers [2]string) string {
	t.Helper()
	return trial.Replaced(t, trial.Blocks(t, "doc/operations/restarting.md", language)[0], "10.0.0.1:8080", servers[0], "10.0.0.2:8080", servers[1], "0.0.0.0:8000", address)
}

func nginxOfTwo(t *testing.T, address string, servers [2]string) *exec.Cmd {
	t.Helper()
	return trial.Nginx(t, t.TempDir(), ofTwo(t, "nginx", address, servers))
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
