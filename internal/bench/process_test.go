package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// process is a server that is measured.
type process struct {
	url string
	pid int
	// database is the PostgreSQL postmaster whose backends work for it, 0 for SQLite.
	database int
}

var address = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// start runs the command until the test ends, and waits for its address on
// standard output.
func start(t testing.TB, database int, env []string, name string, args ...string) *process {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	cmd.Stderr = &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop()
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if url := address.FindString(lines.Text()); url != "" {
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return &process{url: url, pid: cmd.Process.Pid, database: database}
		}
	}
	t.Fatalf("%s %s: no address (%v)\n%s", name, strings.Join(args, " "), errors.Join(lines.Err(), cmd.Wait()), log.String())
	return nil
}

// cpu returns the nanoseconds that the server's threads have run, and those of
// the database's backends.
func (p *process) cpu(t testing.TB) (server, database int64) {
	t.Helper()
	server = threads(t, p.pid)
	if p.database != 0 {
		for _, pid := range children(t, p.database) {
			database += threads(t, pid)
		}
	}
	return server, database
}

func threads(t testing.TB, pid int) (total int64) {
	t.Helper()
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // the thread has ended
		}
		ran, _, _ := strings.Cut(string(text), " ")
		n, _ := strconv.ParseInt(ran, 10, 64)
		total += n
	}
	return total
}

func children(t testing.TB, parent int) (pids []int) {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", parent, parent))
	if err != nil {
		t.Fatal(err)
	}
	for field := range strings.FieldsSeq(string(text)) {
		pid, _ := strconv.Atoi(field)
		pids = append(pids, pid)
	}
	return pids
}
