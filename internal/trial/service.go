package trial

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/kittest/programtest"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// Service is a running entwine serve.
type Service struct {
	Dir, URL string
	Cmd      *exec.Cmd
	Output   *Log // everything it printed
	ended    chan error
	stopped  sync.Once
}

// Start serves from a [Folder] of its own, on a free port, with more settings, and
// returns once the program says that it listens. It is stopped with the test.
func Start(t *testing.T, settings ...string) *Service {
	t.Helper()
	if slices.ContainsFunc(settings, func(pair string) bool { return strings.HasPrefix(pair, "ENTWINE_DATABASE_URL=postgres") }) {
		return StartIn(t, t.TempDir(), settings...)
	}
	return StartIn(t, Folder(t), settings...)
}

// Folder returns a folder of the test's own, in which the service finds a SQLite file with
// every migration: applying them takes six times as long as the rest of a start.
func Folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "data"), 0o700); err != nil {
		t.Fatal(err)
	}
	migratetest.Schema(t).SQLiteFile(t, filepath.Join(dir, "data", "entwine.db"))
	return dir
}

// StartIn is [Start] in a folder, as another process of the same service or again. In one
// that is empty it starts from nothing.
func StartIn(t *testing.T, dir string, settings ...string) *Service {
	t.Helper()
	return StartProgram(t, Binary, dir, settings...)
}

// StartProgram is [StartIn] with another version of the program.
func StartProgram(t *testing.T, program, dir string, settings ...string) *Service {
	t.Helper()
	s := &Service{Dir: dir, Output: new(Log), ended: make(chan error, 1)}
	s.Cmd = Command(t, dir, "serve")
	s.Cmd.Path = program
	s.Cmd.Env = append(append(s.Cmd.Env, "ENTWINE_ADDR=127.0.0.1:0"), storetest.Pooled(t, settings)...)
	s.Cmd.Stderr = s.Output
	stdout, err := s.Cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(io.TeeReader(stdout, s.Output))
	bound := time.AfterFunc(programtest.Usual, func() { _ = s.Cmd.Process.Kill() })
	first, _ := lines.ReadString('\n')
	bound.Stop()
	go func() {
		_, _ = io.Copy(io.Discard, lines)
		s.ended <- s.Cmd.Wait()
	}()
	if _, err := fmt.Sscanf(first, "entwine listens on %s\n", &s.URL); err != nil {
		t.Fatalf("it does not listen: %v\n%s", <-s.ended, s.Output)
	}
	t.Cleanup(func() { s.Stop(t) })
	return s
}

// StartWorker runs entwine worker, and returns once it works.
func StartWorker(t *testing.T, settings ...string) *Service {
	t.Helper()
	s := &Service{Dir: t.TempDir(), Output: new(Log), ended: make(chan error, 1)}
	s.Cmd = Command(t, s.Dir, "worker")
	s.Cmd.Env = append(s.Cmd.Env, settings...)
	s.Cmd.Stdout, s.Cmd.Stderr = s.Output, s.Output
	if err := s.Cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { s.ended <- s.Cmd.Wait() }()
	t.Cleanup(func() { s.Stop(t) })
	s.Output.Wait(t, "entwine works")
	return s
}

// Stop asks the service to end, as a supervisor would, and waits for it.
func (s *Service) Stop(t *testing.T) {
	t.Helper()
	s.stopped.Do(func() {
		_ = s.Cmd.Process.Signal(syscall.SIGTERM) // if it has ended, Wait says how
		if err := <-s.ended; err != nil {
			t.Errorf("it ended with %v\n%s", err, s.Output)
		}
	})
}

// Kill ends the service at once, and waits until it has ended.
func (s *Service) Kill() {
	s.stopped.Do(func() {
		_ = s.Cmd.Process.Kill() // if it has ended, there is no more to do
		<-s.ended
	})
}

// Until runs a command until it prints the text.
func (s *Service) Until(t *testing.T, text string, args ...string) string {
	t.Helper()
	for {
		out := MustRun(t, s.Dir, args...)
		if strings.Contains(out, text) {
			return out
		}
		if t.Context().Err() != nil {
			t.Fatalf("entwine %v never says %q:\n%s", args, text, out)
		}
	}
}
