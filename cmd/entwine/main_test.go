package main_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/kittest/programtest"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

// binary is the program under test, built once.
var binary string

func TestMain(m *testing.M) {
	binary = programtest.Main(".")
	os.Exit(m.Run())
}

// entwine runs a command to its end in the folder and returns what it printed.
func entwine(t *testing.T, dir string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := command(t, dir, args...)
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

// mustEntwine is entwine where the command has to work.
func mustEntwine(t *testing.T, dir string, args ...string) string {
	t.Helper()
	stdout, stderr, code := entwine(t, dir, args...)
	if code != 0 {
		t.Fatalf("entwine %v: exit code %d\n%s%s", args, code, stdout, stderr)
	}
	return stdout
}

// command is entwine in a folder, without the environment's settings.
func command(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Dir = dir
	cmd.Env = []string{"ENTWINE_BCRYPT_COST=4", "ENTWINE_LOG_LEVEL=warn", "ENTWINE_RATE_LIMIT=1000000/1m", "ENTWINE_REGISTRATION_LIMIT=off", "ENTWINE_DRAIN_TIME=0s"}
	for _, pair := range os.Environ() {
		if !strings.HasPrefix(pair, "ENTWINE_") {
			cmd.Env = append(cmd.Env, pair)
		}
	}
	return cmd
}

// service is a running entwine serve.
type service struct {
	dir, url string
	cmd      *exec.Cmd
	output   *lockedBuffer // everything it printed
	ended    chan error
	stopped  sync.Once
}

// start serves from an empty folder, on a free port, with more settings, and
// returns once the program says that it listens. It is stopped with the test.
func start(t *testing.T, settings ...string) *service {
	t.Helper()
	return startIn(t, t.TempDir(), settings...)
}

func startIn(t *testing.T, dir string, settings ...string) *service {
	t.Helper()
	return startProgram(t, binary, dir, settings...)
}

// startProgram is startIn with another version of the program.
func startProgram(t *testing.T, program, dir string, settings ...string) *service {
	t.Helper()
	s := &service{dir: dir, output: new(lockedBuffer), ended: make(chan error, 1)}
	s.cmd = command(t, dir, "serve")
	s.cmd.Path = program
	s.cmd.Env = append(append(s.cmd.Env, "ENTWINE_ADDR=127.0.0.1:0"), storetest.Pooled(t, settings)...)
	s.cmd.Stderr = s.output
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(io.TeeReader(stdout, s.output))
	bound := time.AfterFunc(programtest.Usual, func() { _ = s.cmd.Process.Kill() })
	first, _ := lines.ReadString('\n')
	bound.Stop()
	go func() {
		_, _ = io.Copy(io.Discard, lines)
		s.ended <- s.cmd.Wait()
	}()
	if _, err := fmt.Sscanf(first, "entwine listens on %s\n", &s.url); err != nil {
		t.Fatalf("it does not listen: %v\n%s", <-s.ended, s.output)
	}
	t.Cleanup(func() { s.stop(t) })
	return s
}

// stop asks the service to end, as a supervisor would, and waits for it.
func (s *service) stop(t *testing.T) {
	t.Helper()
	s.stopped.Do(func() {
		_ = s.cmd.Process.Signal(syscall.SIGTERM) // if it has ended, Wait says how
		if err := <-s.ended; err != nil {
			t.Errorf("it ended with %v\n%s", err, s.output)
		}
	})
}

// lockedBuffer is a buffer that several goroutines write to.
type lockedBuffer struct {
	mu   sync.Mutex
	b    bytes.Buffer
	more chan struct{} // closed by the next write; nil while no test waits
}

// wait returns when the text has been written.
func (l *lockedBuffer) wait(t *testing.T, text string) {
	t.Helper()
	ctx := programtest.Within(t, programtest.Usual)
	for {
		l.mu.Lock()
		found := strings.Contains(l.b.String(), text)
		if l.more == nil {
			l.more = make(chan struct{})
		}
		more := l.more
		l.mu.Unlock()
		if found {
			return
		}
		select {
		case <-more:
		case <-ctx.Done():
			t.Fatalf("%q was not written: %v\n%s", text, context.Cause(ctx), l)
		}
	}
}

// Write implements io.Writer.
func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.more != nil {
		close(l.more)
		l.more = nil
	}
	return l.b.Write(p)
}

// String returns what was written.
func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
