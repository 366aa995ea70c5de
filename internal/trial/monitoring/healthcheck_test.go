package monitoring_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
)

// A worker says how it is, and healthcheck asks it as containers do.
func TestHealthcheckAsksProcesses(t *testing.T) {
	t.Parallel()
	m := startMonitored(t)
	work := "ENTWINE_WORKER_ADDR=" + strings.TrimPrefix(strings.TrimSuffix(healthURL.FindStringSubmatch(m.work.Output.String())[1], "/healthz"), "http://")
	serve := "ENTWINE_ADDR=" + strings.TrimPrefix(m.serve.URL, "http://")
	ask := func(want int, says string, args ...string) {
		t.Helper()
		cmd := trial.Command(t, t.TempDir(), append([]string{"healthcheck"}, args...)...)
		cmd.Env = append(cmd.Env, work, serve)
		out, _ := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != want || !strings.Contains(string(out), says) {
			t.Errorf("healthcheck %v: exit code %d, want %d and %q: %s", args, cmd.ProcessState.ExitCode(), want, says, out)
		}
	}
	ask(0, `{"status":"ok"}`)
	ask(0, `"redis":"ok"`, "--ready")
	ask(0, `{"status":"ok"}`, "worker")
	ask(0, `"redis":"ok"`, "worker", "--ready")
	m.server.Kill()
	ask(0, `{"status":"ok"}`, "worker")
	ask(1, `"database":"failed"`, "worker", "--ready")
	ask(1, `"database":"failed"`, "--ready")
	m.work.Stop(t)
	ask(1, "connect", "worker")
}

var healthURL = regexp.MustCompile(`url=(http://\S+/healthz)`)
