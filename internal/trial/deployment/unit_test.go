package deployment_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/kittest/programtest"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

// The unit of doc/operations/deployment.md is one that systemd takes, with
// nothing to warn of, little is exposed of it, and its commands are the program's.
func TestTheUnitOfSystemd(t *testing.T) {
	t.Parallel()
	trial.Installed(t, "systemd-analyze")
	unit := trial.Replaced(t, trial.Blocks(t, "doc/operations/deployment.md", "ini")[0], "/usr/local/bin/entwine ", trial.Binary+" ")
	dir := t.TempDir()
	file := filepath.Join(dir, "entwine.service")
	if err := os.WriteFile(file, []byte(unit), 0o600); err != nil {
		t.Fatal(err)
	}
	said, err := exec.CommandContext(t.Context(), "systemd-analyze", "verify", "--man=no", file).CombinedOutput()
	// Units of the machine are verified with it: what is said of those is not the page's.
	if err != nil || strings.Contains(string(said), file) || strings.Contains(string(said), filepath.Base(file)) {
		t.Errorf("systemd-analyze verify: %v\n%s", err, said)
	}
	// In tenths: it may be exposed to 2.0 of 10.
	if said, err := exec.CommandContext(t.Context(), "systemd-analyze", "security", "--offline=yes", "--threshold=20", file).CombinedOutput(); err != nil {
		t.Errorf("systemd-analyze security: %v\n%s", err, said)
	}
	if out, errs, code := trial.Run(t, dir, "serve", "--help"); code != 0 {
		t.Errorf("ExecStart: exit code %d\n%s%s", code, out, errs)
	}
}

// judge builds the program of testdata/manifests, a module of its own, for it is no
// part of entwine.
var judge = sync.OnceValues(func() (program string, err error) {
	if out, err := exec.Command("go", "-C", "testdata/manifests", "mod", "download").CombinedOutput(); err != nil {
		return "mod", fmt.Errorf("go mod download: %w: %s", err, out)
	}
	return programtest.Build(context.Background(), ".", "-C", "testdata/manifests")
})

// manifests is the program that judges manifests.
func manifests(t *testing.T) string {
	t.Helper()
	program, err := judge()
	if err != nil && program == "mod" {
		storetest.Missing(t, "modules", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// The files for Kubernetes and docker compose hold known keys only: a misspelt key
// fails here and would be ignored there.
func TestManifests(t *testing.T) {
	t.Parallel()
	compose, err := os.ReadFile("../../../kit/codegen/project/files/compose.yaml.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	program := manifests(t)
	container := trial.Blocks(t, "doc/operations/deployment.md", "yaml")[0]
	composed := strings.ReplaceAll(string(compose), "[[ .Name ]]", "notes")
	for name, one := range map[string]struct {
		kind, text, want string
		code             int
	}{
		"a container":            {"container", container, "/readyz /healthz 8080 true entwine", 0},
		"a container, misspelt":  {"container", trial.Replaced(t, container, "readinessProbe", "readynessProbe"), `unknown field "readynessProbe"`, 1},
		"a project":              {"compose", composed, "notes [data:/data:rw]", 0},
		"a project, misspelt":    {"compose", trial.Replaced(t, composed, "depends_on", "depend_on"), "depend_on", 1},
		"a project, no such key": {"compose", trial.Replaced(t, composed, "\n  data:\n", "\n"), "undefined volume data", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.CommandContext(t.Context(), program, one.kind)
			cmd.Stdin = strings.NewReader(one.text)
			out, err := cmd.CombinedOutput()
			if cmd.ProcessState.ExitCode() != one.code || !strings.Contains(string(out), one.want) {
				t.Errorf("%v, want exit code %d and %q:\n%s", err, one.code, one.want, out)
			}
		})
	}
}
