// Package nodetest runs programs of Node.js in tests: servers and clients by
// others, with which this service must get on. A folder in testdata has the
// program and the versions of what it uses (package-lock.json); these are
// installed once on a machine.
package nodetest

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

// Start runs a script of the folder and returns the first line that it
// prints. It ends with the test. Without Node.js, or without a way to what the
// script uses, the test is skipped.
func Start(t testing.TB, folder, script string, args ...string) string {
	t.Helper()
	installed, err := install(folder)
	if err != nil {
		storetest.Missing(t, "node", err)
	}
	text, err := os.ReadFile(filepath.Join(folder, script))
	if err != nil {
		t.Fatal(err)
	}
	// A copy beside what is installed, because Node.js looks there.
	program := filepath.Join(installed, hash(t.TempDir())+"-"+script)
	if err := os.WriteFile(program, text, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Remove(program) })
	return start(t, program, args...)
}

// Chromium is the browser of this machine, without which the test is skipped.
func Chromium(t testing.TB) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	storetest.Missing(t, "browser", errors.New("there is no Chromium"))
	return ""
}

// Folder returns a folder of the test's own with a copy of what is in a folder
// of testdata, and with what that uses. Without Node.js, or without a way to
// what is used, the test is skipped.
func Folder(t testing.TB, folder string) string {
	t.Helper()
	installed, err := install(folder)
	if err != nil {
		storetest.Missing(t, "node", err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(installed, "node_modules"), filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Run runs a program in a [Folder], where those come first that are installed
// in it, and returns what it prints. The test fails unless it succeeds.
func Run(t testing.TB, dir string, command ...string) string {
	t.Helper()
	if installed := filepath.Join(dir, "node_modules/.bin", command[0]); exists(installed) {
		command[0] = installed
	}
	run := exec.CommandContext(t.Context(), command[0], command[1:]...)
	run.Dir = dir
	run.Env = append(os.Environ(), "NO_COLOR=1", "REDOCLY_TELEMETRY=off", "REDOCLY_SUPPRESS_UPDATE_NOTICE=true")
	run.WaitDelay = time.Second
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(command, " "), err, out)
	}
	return string(out)
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

func start(t testing.TB, program string, args ...string) string {
	t.Helper()
	cmd := exec.Command("node", append([]string{program}, args...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} // also if the test is killed
	cmd.Stderr = t.Output()
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	lines := bufio.NewReader(stdout)
	first, err := lines.ReadString('\n')
	if err != nil {
		t.Fatalf("%s prints nothing: %v", filepath.Base(program), err)
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	return strings.TrimSpace(first)
}

// install installs what the folder's package-lock.json names, unless that has
// been done, and returns where.
func install(folder string) (string, error) {
	if _, err := exec.LookPath("node"); err != nil {
		return "", err
	}
	lock, err := os.ReadFile(filepath.Join(folder, "package-lock.json"))
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	to := filepath.Join(cache, "entwine-test-node", hash(string(lock)))
	if _, err := os.Stat(to); err == nil {
		return to, nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return "", err
	}
	draft, err := os.MkdirTemp(filepath.Dir(to), "draft-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(draft)
	for _, name := range []string{"package.json", "package-lock.json"} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(draft, name), text, 0o600)
		}
		if err != nil {
			return "", err
		}
	}
	npm := exec.Command("npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts")
	npm.Dir = draft
	if out, err := npm.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm ci: %w: %s", err, out)
	}
	// Of several tests that install at once one wins.
	if err := os.Rename(draft, to); err != nil && !errors.Is(err, os.ErrExist) && !errors.Is(err, syscall.ENOTEMPTY) {
		return "", err
	}
	return to, nil
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}
