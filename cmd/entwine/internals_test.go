package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/kittest/apptest"
	"github.com/entwine-go/entwine/kit/store"
)

// The tables of doc/internals name functions that exist, and those of a request have them in
// the order in which the stack of its statement does.
func TestInternalsSayWhatHappens(t *testing.T) { //nolint:tparallel // it has no subtests
	t.Parallel()
	s := newTraced(t)
	s.ask("POST", "/api/auth/register", `{"name":"Ada Lovelace","email":"ada@example.com","password":"correct horse 1"}`)
	for _, c := range []struct{ page, says, method, path, body, statement string }{
		{"write.md", "`POST /api/v1/posts`", "POST", "/api/v1/posts", `{"title":"A","content":"B","published":true}`, "INSERT"},
		{"write.md", "`mutation { createPost(…) }`", "POST", "/graphql", `{"query":"mutation { createPost(input: {title: \"A\", content: \"B\"}) { id } }"}`, "INSERT"},
		{"rest-request.md", "`GET /api/v1/posts/1`", "GET", "/api/v1/posts/1", "", "SELECT"},
		{"graphql-operation.md", "`{ posts { title author { name } } }`", "POST", "/graphql", `{"query":"{ posts { title author { name } } }"}`, "SELECT"},
	} {
		stack := s.statement(c.method, c.path, c.body, c.statement)
		rows := internals(t, c.page, c.says)
		for _, row := range rows {
			at := 0
			for at < len(stack) && (stack[at].file != row.file || !strings.Contains(stack[at].function, "."+row.function)) {
				at++
			}
			if at == len(stack) {
				t.Errorf("%s: %s in %s is not called by what stands above it", c.page, row.function, row.file)
				continue
			}
			stack = stack[at:]
		}
		if len(rows) < 8 {
			t.Errorf("%s has a table of %d rows under %s", c.page, len(rows), c.says)
		}
	}
	pages, err := filepath.Glob("../../doc/internals/*.md")
	if err != nil || len(pages) < 5 {
		t.Fatal(pages, err)
	}
	for _, page := range pages {
		for _, row := range internals(t, filepath.Base(page), "") {
			source, err := os.ReadFile(filepath.Join("../..", row.file))
			if err != nil {
				t.Errorf("%s: %v", page, err)
			} else if !regexp.MustCompile(`(?m)^func (\([^)]*\) )?` + regexp.QuoteMeta(row.function) + `[(\[]`).Match(source) {
				t.Errorf("%s: %s has no function %s", page, row.file, row.function)
			}
		}
	}
}

// call is a row of a table of doc/internals, or a frame of a stack.
type call struct{ file, function string }

var internalsRow = regexp.MustCompile("(?m)^\\| \\[([^\\]]+)\\]\\([^)]*\\) \\| `([^`]+)` \\|")

// internals are the rows of the table that follows the text, or of all tables.
func internals(t *testing.T, page, after string) (rows []call) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../doc/internals", page))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), after)
	if !found {
		t.Fatalf("%s says nothing of %s", page, after)
	}
	if after != "" {
		_, rest, _ = strings.Cut(rest, "|---|---|---|\n")
		rest, _, _ = strings.Cut(rest, "\n\n")
	}
	for _, row := range internalsRow.FindAllStringSubmatch(rest, -1) {
		rows = append(rows, call{row[1], row[2]})
	}
	return rows
}

// traced is the service over a database that keeps the stack of each statement.
type traced struct {
	t       *testing.T
	handler http.Handler
	token   string

	mu     sync.Mutex
	stacks []tracedStatement
}

// tracedStatement is a statement and its stack, the outermost call first.
type tracedStatement struct {
	text  string
	stack []call
}

func newTraced(t *testing.T) *traced {
	url := "sqlite://" + t.TempDir() + "/entwine.db"
	t.Run("migrated", func(t *testing.T) { apptest.Serve(t, service(), "ENTWINE_DATABASE_URL="+url) })
	s := &traced{t: t}
	db, err := store.Open(t.Context(), store.Config{URL: url, Observer: s})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	p := &app.Process{Stdout: t.Output(), Stderr: t.Output(), Environ: []string{"ENTWINE_DATA_DIR=" + t.TempDir(), "ENTWINE_BCRYPT_COST=4", "ENTWINE_DATABASE_URL=" + url}}
	server, end, err := service().Embed(t.Context(), p, db)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := end(); err != nil {
			t.Error(err)
		}
	})
	s.handler = server.Handler
	return s
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
	return nil
}

// ask sends a request as the user who signed up, and fails unless it succeeds.
func (s *traced) ask(method, path, body string) {
	s.t.Helper()
	r := httptest.NewRequestWithContext(s.t.Context(), method, path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if s.token != "" {
		r.Header.Set("Authorization", "Bearer "+s.token)
	}
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	answer := w.Body.String()
	if w.Code >= 300 || strings.Contains(answer, `"errors"`) {
		s.t.Fatalf("%s %s: %d %s", method, path, w.Code, answer)
	}
	if _, token, found := strings.Cut(answer, `"token":"`); found {
		s.token, _, _ = strings.Cut(token, `"`)
	}
}

// statement is the stack of the first statement of a request that begins with the word and
// is about posts.
func (s *traced) statement(method, path, body, word string) []call {
	s.t.Helper()
	s.mu.Lock()
	s.stacks = nil
	s.mu.Unlock()
	s.ask(method, path, body)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, of := range s.stacks {
		if strings.HasPrefix(of.text, word) && strings.Contains(of.text, `"posts"`) {
			return of.stack
		}
	}
	s.t.Fatalf("%s %s has no %s of posts: %v", method, path, word, s.stacks)
	return nil
}
