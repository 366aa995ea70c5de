package pages_test

import (
	"bufio"
	"context"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/entwine-go/entwine/internal/program"
	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/kittest/apptest"
	"github.com/entwine-go/entwine/kit/store"
)

// traced is the service over a database that keeps the stack of each statement.
type traced struct {
	t      *testing.T
	server *httptest.Server
	token  string
	host   *app.Host
	parts  *app.Parts
	// transport has the tasks of jobs.
	transport *jobs.Transport

	mu     sync.Mutex
	stacks []tracedStatement
	more   chan struct{} // closed with the next statement
}

// tracedStatement is a statement and its stack, the outermost call first.
type tracedStatement struct {
	text  string
	stack []call
}

// newTraced serves the service over a new SQLite database until the test ends.
func newTraced(t *testing.T) *traced {
	url := "sqlite://" + t.TempDir() + "/entwine.db"
	t.Run("migrated", func(t *testing.T) { apptest.Serve(t, program.Service("", ""), "ENTWINE_DATABASE_URL="+url) })
	s := &traced{t: t, transport: jobs.Embed(), more: make(chan struct{})}
	t.Cleanup(func() { _ = s.transport.Close() })
	db, err := store.Open(t.Context(), store.Config{URL: url, Observer: s})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	p := &app.Process{Stdout: t.Output(), Stderr: t.Output(), Environ: []string{"ENTWINE_DATA_DIR=" + t.TempDir(), "ENTWINE_BCRYPT_COST=4", "ENTWINE_DATABASE_URL=" + url}}
	of := program.Service("", "")
	open := of.Open
	of.Open = func(h *app.Host) (*app.Parts, error) {
		h.Jobs.Bell = jobs.NewBell(s.transport)
		s.host, s.parts, err = h, nil, nil
		s.parts, err = open(h)
		return s.parts, err
	}
	server, end, err := of.Embed(t.Context(), p, db)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := end(); err != nil {
			t.Error(err)
		}
	})
	if _, err := s.host.Jobs.Bell.Check(t.Context()); err != nil { // a job is rung for where the bell knows its Redis
		t.Fatal(err)
	}
	s.server = httptest.NewServer(server.Handler)
	t.Cleanup(s.server.Close)
	return s
}

// work does jobs until the test ends.
func (s *traced) work() {
	runner := jobs.NewRunner(s.host.DB, s.host.Bus, s.host.Log, s.parts.Kinds...)
	runner.Caller = s.parts.Caller
	server, err := jobs.Start(jobs.ServerConfig{Transport: s.transport, Runner: runner, Client: s.host.Jobs, Log: s.host.Log})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { server.Stop(context.WithoutCancel(s.t.Context())) })
}

// Statement implements [store.Observer].
func (s *traced) Statement(_ context.Context, _, text string, _ time.Time, _ string) func(int64) {
	const module = "github.com/entwine-go/entwine/"
	pcs := make([]uintptr, 256)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	var stack []call
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if name, ours := strings.CutPrefix(f.Function, module); ours {
			folder, _, _ := strings.Cut(name[strings.LastIndex(name, "/")+1:], ".")
			folder = filepath.Join(filepath.Dir(name), folder)
			// A closure that was inlined elsewhere still has its own file.
			if at := strings.LastIndex(f.File, "/kit/"); at >= 0 {
				folder = filepath.Dir(f.File[at+1:])
			}
			stack = append([]call{{filepath.Join(folder, filepath.Base(f.File)), f.Function[strings.LastIndex(f.Function, "/"):]}}, stack...)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stacks = append(s.stacks, tracedStatement{text, stack})
	close(s.more)
	s.more = make(chan struct{})
	return nil
}

// until waits for a statement that contains the text.
func (s *traced) until(text string) {
	s.t.Helper()
	for {
		s.mu.Lock()
		more := s.more
		there := slices.ContainsFunc(s.stacks, func(of tracedStatement) bool { return strings.Contains(of.text, text) })
		s.mu.Unlock()
		if there {
			return
		}
		select {
		case <-more:
		case <-s.t.Context().Done():
			s.t.Fatalf("no statement has %s", text)
		}
	}
}

// since are the statements that came after the first n.
func (s *traced) since(n int) []tracedStatement {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stacks[n:len(s.stacks):len(s.stacks)]
}

// send sends a request as the user who signed up.
func (s *traced) send(method, path, accept, body string) *http.Response {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.server.URL+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if accept != "" {
		r.Header.Set("Accept", accept)
	}
	if s.token != "" {
		r.Header.Set("Authorization", "Bearer "+s.token)
	}
	answer, err := s.server.Client().Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer
}

// ask sends a request and fails unless it succeeds.
func (s *traced) ask(method, path, body string) {
	s.t.Helper()
	response := s.send(method, path, "", body)
	defer func() { _ = response.Body.Close() }()
	var answer strings.Builder
	if _, err := bufio.NewReader(response.Body).WriteTo(&answer); err != nil {
		s.t.Fatal(err)
	}
	if response.StatusCode >= 300 || strings.Contains(answer.String(), `"errors"`) {
		s.t.Fatalf("%s %s: %d %s", method, path, response.StatusCode, answer.String())
	}
	if _, token, found := strings.Cut(answer.String(), `"token":"`); found {
		s.token, _, _ = strings.Cut(token, `"`)
	}
}

// subscribe begins a subscription, whose results come out of the channel until the test ends.
func (s *traced) subscribe(body string) <-chan string {
	s.t.Helper()
	response := s.send("POST", "/graphql", "text/event-stream", body)
	results := make(chan string, 100)
	read := make(chan struct{})
	s.t.Cleanup(func() {
		_ = response.Body.Close()
		<-read
	})
	go func() {
		defer close(read)
		defer close(results)
		for lines := bufio.NewScanner(response.Body); lines.Scan(); {
			if result, is := strings.CutPrefix(lines.Text(), "data: "); is && result != "" {
				results <- result
			}
		}
	}()
	return results
}

// next is the next result.
func (s *traced) next(results <-chan string) string {
	s.t.Helper()
	select {
	case result, open := <-results:
		if !open || strings.Contains(result, `"errors"`) {
			s.t.Fatalf("a result of a subscription: %q", result)
		}
		return result
	case <-s.t.Context().Done():
		s.t.Fatal("the subscription has no result")
		return ""
	}
}
