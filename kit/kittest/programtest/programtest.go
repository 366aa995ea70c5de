// Package programtest builds and runs programs for tests.
//
// [Build] leaves a program in Go's build cache, where every package of tests finds it:
// it is linked once for each state of the tree, and no test has a copy to remove.
// [Command] has a bound. A program that hangs on a dead child or a full disk is killed with
// everything that it started, and the test says what it had printed.
package programtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Usual is more than any test that compiles takes on a machine that others use, too.
const Usual = 15 * time.Minute

// Build returns the file of the program of a package, as "." or "./cmd/entwine". The file
// belongs to the build cache: it is neither changed nor removed.
func Build(ctx context.Context, pkg string, flags ...string) (string, error) {
	// The run that links a program has it in a folder of its own, which it removes. The
	// next one names the one in the cache.
	for range 2 {
		cmd := exec.CommandContext(ctx, "go", append(append([]string{"run"}, flags...), "-exec", "echo", pkg)...)
		bound(cmd)
		var said bytes.Buffer
		cmd.Stderr = &said
		out, err := cmd.Output()
		if err != nil {
			return "", fmt.Errorf("build %s: %w\n%s", pkg, err, said.String())
		}
		file := strings.TrimSpace(string(out))
		if _, err := os.Stat(file); err == nil {
			return file, nil
		}
	}
	return "", fmt.Errorf("build %s: go run keeps no program in its cache (it does since Go 1.24)", pkg)
}

// Main builds the program of the package for a TestMain, and ends the process where that
// fails. From then on the tests of the process compile with -trimpath, so that a package in a
// folder of a test's own comes from the cache where it did not change, link without tables
// for debuggers, which takes two thirds of the time, and inline nothing in projects of
// example.com, whose packages compile in two thirds of theirs.
func Main(pkg string) string {
	file, err := trimmed(pkg)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return file
}

func trimmed(pkg string) (file string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), Usual)
	defer cancel()
	flags, err := exec.CommandContext(ctx, "go", "env", "GOFLAGS").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOFLAGS: %w", err)
	}
	if err := os.Setenv("GOFLAGS", strings.TrimSpace(string(flags)+" -trimpath -ldflags=-w -gcflags=example.com/...=-l")); err != nil {
		return "", err
	}
	return Build(ctx, pkg)
}

// Command is a program in a process group of its own, all of which is killed when ctx
// ends.
func Command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	bound(cmd)
	return cmd
}

func bound(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); !errors.Is(err, syscall.ESRCH) {
			return err
		}
		return os.ErrProcessDone
	}
	cmd.WaitDelay = 5 * time.Second // a child that left the group may hold its output
}

// Within returns a context of the test that ends after the limit, with a cause that says so.
func Within(t testing.TB, limit time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeoutCause(t.Context(), limit, fmt.Errorf("it took more than %v", limit))
	t.Cleanup(cancel)
	return ctx
}

// Why adds to the error of a program why its context ended, if it did, and how much room
// the disk has then.
func Why(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	var fs syscall.Statfs_t
	if syscall.Statfs(os.TempDir(), &fs) != nil {
		return fmt.Errorf("%w: %w", err, context.Cause(ctx))
	}
	return fmt.Errorf("%w: %w, and %s has room for %d MB", err, context.Cause(ctx), os.TempDir(), fs.Bavail*uint64(fs.Bsize)>>20)
}
