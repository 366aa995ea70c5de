// Package trial runs the program of this service as its operators and clients do: it
// starts processes with settings, sends them requests, reads their logs and metrics,
// stops and kills them. The packages below it have the tests, one package for each
// concern, and only tests import this one. [land] has the service in the test's own
// process instead, with a row of every entity.
//
// [land]: https://pkg.go.dev/github.com/entwine-go/entwine/internal/trial/land
package trial

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/kittest/programtest"
)

// Binary is the program under test.
var Binary string

// Main runs the tests of a package with [Binary]. All packages have it from the build
// cache: it is linked once for each state of the tree.
func Main(m *testing.M) {
	Binary = programtest.Main("github.com/entwine-go/entwine/cmd/entwine")
	os.Exit(m.Run())
}

// Run runs a command to its end in the folder and returns what it printed.
func Run(t *testing.T, dir string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := Command(t, dir, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	bound := time.AfterFunc(programtest.Usual, func() { _ = cmd.Process.Kill() })
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	if !bound.Stop() {
		t.Fatalf("entwine %v was killed after %v:\n%s%s", args, programtest.Usual, out.String(), errs.String())
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// MustRun is [Run] where the command has to work.
func MustRun(t *testing.T, dir string, args ...string) string {
	t.Helper()
	stdout, stderr, code := Run(t, dir, args...)
	if code != 0 {
		t.Fatalf("entwine %v: exit code %d\n%s%s", args, code, stdout, stderr)
	}
	return stdout
}

// Command is entwine in a folder, without the environment's settings.
func Command(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(Binary, args...)
	cmd.Dir = dir
	cmd.Env = []string{"ENTWINE_BCRYPT_COST=4", "ENTWINE_LOG_LEVEL=warn", "ENTWINE_RATE_LIMIT=1000000/1m", "ENTWINE_REGISTRATION_LIMIT=off", "ENTWINE_DRAIN_TIME=0s"}
	for _, pair := range os.Environ() {
		if !strings.HasPrefix(pair, "ENTWINE_") {
			cmd.Env = append(cmd.Env, pair)
		}
	}
	return cmd
}

// Said is the standard error of a command that failed.
func Said(err error) string {
	if e, ok := errors.AsType[*exec.ExitError](err); ok {
		return string(e.Stderr)
	}
	return ""
}

// Tried runs a command to its end with settings, and returns what it printed
// to standard error.
func Tried(t *testing.T, args []string, settings ...string) (stderr string, code int) {
	t.Helper()
	cmd := Command(t, t.TempDir(), args...)
	cmd.Env = append(cmd.Env, settings...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return errs.String(), cmd.ProcessState.ExitCode()
}

// Shell runs a script in a folder, with entwine on the path and settings.
func Shell(t *testing.T, dir, script string, settings ...string) string {
	t.Helper()
	cmd := Command(t, dir)
	run := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", script)
	run.Dir, run.Env = dir, append(append(cmd.Env, "PATH="+filepath.Dir(Binary)+":"+os.Getenv("PATH")), settings...)
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", script, err, out)
	}
	return string(out)
}
