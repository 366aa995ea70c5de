package main_test

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/kittest/programtest"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

var guidesProgram = flag.String("guides-program", "", "a `program` built of the guides before, which TestGuides runs in the place of making one")

// guides are the pages of doc/guides, in the order in which they are followed.
var guides = []string{
	"first-service", "entities", "edges", "policies", "actions", "states", "jobs", "events", "accounts", "money", "search", "files", "versions", "tests", "go-code",
}

// fenced is a block of a page: its language, its name, and what is in it.
//
//	go NAME        a file of the project where it begins with package or a comment, else lines of that file
//	yaml NAME      a file of the project, as graphql NAME is
//	sh             commands for the running service, in the order of the pages
//	sh listen      commands that go on while those after them run
//	text           what the commands before print: … stands for anything, and lines in between for more
//	text listen    what the ones that go on print
//	console        commands that make the project, which this test runs itself
type fenced struct{ language, name, text string }

var fence = regexp.MustCompile("(?s)\n```(\\w+)(?: (\\S+))?\n(.*?)```\n")

// page reads the blocks of a guide.
func page(t *testing.T, name string) (blocks []fenced) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../doc/guides", name+".md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range fence.FindAllStringSubmatch(string(text), -1) {
		blocks = append(blocks, fenced{found[1], found[2], found[3]})
	}
	return blocks
}

func (b fenced) isFile() bool {
	return b.language != "go" || strings.HasPrefix(b.text, "package ") || strings.HasPrefix(b.text, "// Command ")
}

// squeezed are the lines of a text, with one blank where there are more.
func squeezed(text string) (lines []string) {
	for line := range strings.Lines(text) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return lines
}

// write writes the files of the guides into a project, and reports excerpts
// that are not in their file.
func write(t *testing.T, dir string) {
	t.Helper()
	type excerpt struct{ page, name, text string }
	var excerpts []excerpt
	for _, name := range guides {
		for _, b := range page(t, name) {
			switch {
			case !slices.Contains([]string{"go", "yaml", "graphql", "tmpl"}, b.language) || b.name == "":
			case !b.isFile():
				excerpts = append(excerpts, excerpt{name, b.name, b.text})
			default:
				file := filepath.Join(dir, b.name)
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(b.text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	for _, e := range excerpts {
		text, err := os.ReadFile(filepath.Join(dir, e.name))
		if err != nil {
			t.Errorf("%s shows lines of %v", e.page, err)
			continue
		}
		rest := squeezed(string(text))
		for _, line := range squeezed(e.text) {
			i := slices.Index(rest, line)
			if i < 0 {
				t.Errorf("%s shows %q, which is not in %s, or not there", e.page, line, e.name)
				break
			}
			rest = rest[i+1:]
		}
	}
}

// The commands that a page may ask for beside those that it runs here: this
// test, and TestAProjectOfOnesOwn, make the project by the same.
var made = regexp.MustCompile(`^(go run github\.com/entwine-go/entwine/cmd/weave@latest new \S+|cd \w+|make (run|dev|test|build)|make adopt DATABASE=\.\./chinook\.db|ENTWINE_DATABASE_URL=sqlite://\.\./chinook\.db bin/notes serve|make generate migration NAME=\w+)$`)

// TestGuides follows doc/guides: the files that they show make one project,
// and their commands are run against it, on both databases.
func TestGuides(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("compiles the generator and a service")
	}
	program := *guidesProgram
	if program == "" {
		p := newNotes(t)
		write(t, p.dir)
		if t.Failed() {
			return
		}
		p.run("make", "generate", "migration", "NAME=guides")
		p.run("make", "test")
		p.run("make", "build")
		program = filepath.Join(p.dir, "bin", "notes")
	}
	for name, url := range map[string]func(testing.TB) string{"sqlite": storetest.Schema{}.SQLiteURL, "postgres": storetest.Schema{}.PostgresURL} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &reader{t: t, program: program, dir: t.TempDir(), database: url(t)}
			r.serve()
			for _, name := range guides {
				r.follow(name)
			}
		})
	}
}

// reader is a person who follows the guides.
type reader struct {
	t                           *testing.T
	program, dir, database, url string
}

// serve starts the service, until the test ends.
func (r *reader) serve() {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), programtest.Usual) // it outlives the test's own
	r.t.Cleanup(cancel)
	cmd := r.command(ctx, "exec "+r.program+" serve")
	cmd.Env = append(cmd.Env, "ENTWINE_ADDR=127.0.0.1:0", "ENTWINE_LOG_LEVEL=warn")
	cmd.Stderr = r.t.Output()
	out, err := cmd.StdoutPipe()
	if err != nil {
		r.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	first, _ := lines.ReadString('\n')
	if _, err := fmt.Sscanf(first, "notes listens on %s\n", &r.url); err != nil {
		r.t.Fatalf("it says %q: %v", first, err)
	}
	r.t.Cleanup(func() {
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			r.t.Error(err)
		}
		_, _ = io.Copy(io.Discard, lines)
		if err := cmd.Wait(); err != nil {
			r.t.Errorf("it ended with %v", err)
		}
	})
}

// follow runs the commands of a page.
func (r *reader) follow(name string) {
	var said string
	var listened *listener
	for _, b := range page(r.t, name) {
		switch b.language + " " + b.name {
		case "sh ":
			said = r.shell(name, b.text)
		case "sh listen":
			listened = r.listen(b.text)
		case "text ":
			if line, ok := prints(said, b.text); !ok {
				r.t.Errorf("%s: nothing like %q is printed by\n%s", name, line, said)
			}
		case "text listen":
			listened.wait(b.text)
		case "console ":
			for line := range strings.Lines(b.text) {
				if !made.MatchString(strings.TrimSpace(line)) {
					r.t.Errorf("%s: nothing runs %q", name, line)
				}
			}
		}
	}
}

// script is a block for this service. The token is that of the user who signed up.
func (r *reader) script(text string) string {
	text = strings.ReplaceAll(text, "localhost:8080", strings.TrimPrefix(r.url, "http://"))
	return "set -uo pipefail\ntest ! -f ada.json || TOKEN=$(sed -E 's/.*\"token\":\"([^\"]+)\".*/\\1/' ada.json)\n" + strings.NewReplacer("curl -s ", "curl -sS -w '\\n' ", "curl -sg ", "curl -sgS -w '\\n' ").Replace(text)
}

func (r *reader) command(ctx context.Context, script string) *exec.Cmd {
	cmd := programtest.Command(ctx, "bash", "-c", script)
	cmd.Dir = r.dir
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(pair string) bool { return strings.HasPrefix(pair, "ENTWINE_") }),
		"PATH="+filepath.Dir(r.program)+":"+os.Getenv("PATH"),
		"ENTWINE_DATABASE_URL="+r.database, "ENTWINE_DATA_DIR="+filepath.Join(r.dir, "data"))
	return cmd
}

func (r *reader) shell(name, text string) string {
	ctx, cancel := context.WithTimeout(r.t.Context(), time.Minute)
	defer cancel()
	out, err := r.command(ctx, r.script(text)).CombinedOutput()
	if err != nil {
		r.t.Errorf("%s: %v\n%s%s", name, err, text, out)
	}
	return string(out)
}

// listener is a command that goes on.
type listener struct {
	t    *testing.T
	mu   sync.Mutex
	said bytes.Buffer
}

// Write implements io.Writer.
func (l *listener) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.said.Write(b)
}

func (l *listener) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.said.String()
}

// listen starts a command that listens to the service. When it returns, the
// service has accepted it.
func (r *reader) listen(text string) *listener {
	l := &listener{t: r.t}
	headers := filepath.Join(r.dir, "headers")
	cmd := r.command(r.t.Context(), strings.ReplaceAll(r.script(text), "curl -sN ", "exec curl -sSN -D "+headers+" "))
	cmd.Stdout, cmd.Stderr = l, l
	if err := os.RemoveAll(headers); err != nil {
		r.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	until(r.t, func() error {
		if info, err := os.Stat(headers); err != nil || info.Size() == 0 {
			return fmt.Errorf("it is not accepted: %s", l.text())
		}
		return nil
	})
	return l
}

// wait waits for what is printed.
func (l *listener) wait(want string) {
	until(l.t, func() error {
		if line, ok := prints(l.text(), want); !ok {
			return fmt.Errorf("nothing like %q is told by\n%s", line, l.text())
		}
		return nil
	})
}

// until asks again and again.
func until(t *testing.T, ask func() error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for err := ask(); err != nil; err = ask() {
		select {
		case <-ctx.Done():
			t.Fatal(err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// prints reports whether all lines that are wanted are printed, in order, and
// else which is not.
func prints(said, want string) (missing string, ok bool) {
	lines := strings.Split(said, "\n")
	for line := range strings.Lines(want) {
		line = strings.TrimSpace(line)
		form := regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(line), "…", ".*") + "$")
		i := slices.IndexFunc(lines, func(s string) bool { return form.MatchString(strings.TrimSpace(s)) })
		if i < 0 {
			return line, false
		}
		lines = lines[i+1:]
	}
	return "", true
}
