package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The unit of doc/operations/deployment.md is one that systemd takes, with
// nothing to warn of, and its commands are the program's.
func TestTheUnitOfSystemd(t *testing.T) {
	t.Parallel()
	installed(t, "systemd-analyze")
	unit := replaced(t, fencedAs(t, "operations/deployment.md", "ini"), "/usr/local/bin/entwine ", binary+" ")
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
	if out, errs, code := entwine(t, dir, "serve", "--help"); code != 0 {
		t.Errorf("ExecStart: exit code %d\n%s%s", code, out, errs)
	}
}
