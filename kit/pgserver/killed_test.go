package pgserver_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/pgserver"
)

const inside = "ENTWINE_TEST_PGSERVER_DIR"

// TestServes is the process that the next test kills: it starts a server and waits.
func TestServes(t *testing.T) {
	dir := os.Getenv(inside)
	if dir == "" {
		return
	}
	s, err := pgserver.Start(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := os.ReadFile(filepath.Join(dir, "data", "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println("serves", s.Port, strings.Fields(strings.Split(string(pid), "\n")[6])[1])
	_, _ = os.Stdin.Read(make([]byte, 1))
}

// A process that is killed leaves no server behind, no files of one and no shared memory.
func TestNothingIsLeftOfAKilledProcess(t *testing.T) {
	t.Parallel()
	if err := exec.CommandContext(t.Context(), "ipcrm", "--version").Run(); err != nil {
		t.Skipf("NOT TESTED without ipcrm: %v", err)
	}
	parent, err := os.MkdirTemp("", "entwine-pgserver-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(parent) })
	dir := filepath.Join(parent, "server")
	if err := errors.Join(os.Chmod(parent, 0o755), os.Mkdir(dir, 0o755)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestServes$")
	cmd.Env = append(os.Environ(), inside+"="+dir)
	_, err = cmd.StdinPipe()
	out, pipe := cmd.StdoutPipe()
	if err := errors.Join(err, pipe, cmd.Start()); err != nil {
		t.Fatal(err)
	}
	var port, memory int
	line, _ := bufio.NewReader(out).ReadString('\n')
	if _, err := fmt.Sscanf(line, "serves %d %d\n", &port, &memory); err != nil {
		_ = cmd.Wait()
		t.Skipf("NOT TESTED on postgres: it says %q", line)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()

	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for {
		_, err := os.Stat(dir)
		if errors.Is(err, os.ErrNotExist) {
			break
		}
		select {
		case <-ctx.Done():
			t.Fatalf("the server's files are left: %v", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
	segments, err := os.ReadFile("/proc/sysvipc/shm")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(segments)) {
		// 1600 are the rights of one that goes with the last process that has it.
		if words := strings.Fields(line); len(words) > 2 && words[1] == fmt.Sprint(memory) && words[2] != "1600" {
			t.Errorf("the server's shared memory is left: %s", line)
		}
	}
}
