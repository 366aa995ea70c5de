package pgserver

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
)

// A watch outlives its server where that was killed and another one took its
// place. It must leave the other server alone, and a process that has got the
// number of the dead one.
func TestAWatchLeavesAnotherServerAlone(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("flock"); err != nil {
		t.Skipf("NOT TESTED without flock: %v", err)
	}
	dir := t.TempDir()
	data := filepath.Join(dir, "server", "data")
	if err := os.MkdirAll(data, 0o700); err != nil {
		t.Fatal(err)
	}
	other := exec.CommandContext(t.Context(), "sleep", "600")
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- other.Wait() }()
	if err := os.WriteFile(filepath.Join(data, "postmaster.pid"), []byte("1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	pid := strconv.Itoa(other.Process.Pid)
	if out, err := exec.CommandContext(t.Context(), "sh", "-c", watch, "sh", dir, pid).CombinedOutput(); err != nil {
		t.Fatalf("watch: %v, %s", err, out)
	}
	if _, err := os.Stat(data); err != nil {
		t.Errorf("the other server's files: %v", err)
	}
	if serves(other.Process.Pid, filepath.Join(dir, "server")) {
		t.Errorf("process %s is taken for the server", pid)
	}
	select {
	case err := <-ended:
		t.Errorf("the process with the number ended: %v", err)
	default:
	}
	if err := other.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
}
