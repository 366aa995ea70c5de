package main_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

func TestANewProjectIsWrittenOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for args, want := range map[string]string{
		"new example.com/acme/notes --replace ../..":              "Makefile",
		"new Notes --replace ../..":                               `"Notes" is not the path of a module`,
		"new example.com/acme/notes/v2.x/A --replace ../..":       "is not the path of a module",
		"new example.com/acme/other":                              "name one with --version",
		"new example.com/acme/more --version v0.2.0":              "cd ",
		"new example.com/acme/notes example.com/b --version v1.0": "it takes 1 arguments",
	} {
		if out, _ := call(t, append(strings.Fields(args), "--root", dir)...); !strings.Contains(out, want) {
			t.Errorf("weave %s: %s, want %q", args, out, want)
		}
	}
	mod, err := os.ReadFile(filepath.Join(dir, "more", "go.mod"))
	if err != nil || !strings.Contains(string(mod), "require github.com/entwine-go/entwine v0.2.0") || strings.Contains(string(mod), "replace") {
		t.Errorf("go.mod is %s, %v", mod, err)
	}
	if out, code := call(t, "new", "example.com/acme/notes", "--replace", "../..", "--root", dir); code != 1 || !strings.Contains(out, "is there already") {
		t.Errorf("a second time: exit code %d, %s", code, out)
	}
}

// A project is made, tested, changed and served by what it says of itself.
func TestAProjectOfOnesOwn(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the generator and a service")
	}
	t.Parallel()
	dir := t.TempDir()
	if out, code := call(t, "new", "example.com/acme/notes", "--replace", "../..", "--root", dir); code != 0 {
		t.Fatal(out)
	}
	dir = filepath.Join(dir, "notes")
	run(t, dir, "make", "test")
	run(t, dir, "go", "mod", "tidy")
	run(t, dir, "go", "vet", "./...")

	file := filepath.Join(dir, "schema", "note.go")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const before = "\t\tfield.Bool(\"done\")"
	changed := strings.Replace(string(text), before, "\t\tfield.Bool(\"pinned\").Default(false).Comment(\"Whether it stays on top.\"),\n"+before, 1)
	if err := os.WriteFile(file, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, dir, "make", "generate", "migration", "NAME=add_pinned")
	run(t, dir, "make", "build")
	for name, url := range map[string]func(testing.TB) string{"sqlite": storetest.Schema{}.SQLiteURL, "postgres": storetest.Schema{}.PostgresURL} {
		t.Run(name, func(t *testing.T) { drive(t, filepath.Join(dir, "bin", "notes"), url(t)) })
	}
}

// drive serves the database and asks both APIs.
func drive(t *testing.T, program, database string) {
	t.Helper()
	serve := exec.Command(program, "serve")
	serve.Dir, serve.Stderr = t.TempDir(), t.Output()
	serve.Env = append(slices.DeleteFunc(os.Environ(), func(pair string) bool { return strings.HasPrefix(pair, "ENTWINE_") }),
		"ENTWINE_ADDR=127.0.0.1:0", "ENTWINE_DATABASE_URL="+database)
	out, err := serve.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	first, _ := lines.ReadString('\n')
	var url string
	if _, err := fmt.Sscanf(first, "notes listens on %s\n", &url); err != nil {
		t.Fatalf("it says %q: %v", first, err)
	}
	for _, step := range []struct{ path, body, want string }{
		{"/api/v1/users", `{"name":"Ada Lovelace"}`, `"name":"Ada Lovelace"`},
		{"/api/v1/notes", `{"title":"Engines","text":"They weave.","pinned":true,"user_id":1}`, `"pinned":true`},
		{"/graphql", `{"query":"mutation { createNote(input: {title: \"Numbers\", text: \"Bernoulli's.\"}) { title pinned } }"}`, `{"title":"Numbers","pinned":false}`},
		{"/graphql", `{"query":"{ notesConnection { edges { node { title user { name } } } } }"}`, `{"title":"Engines","user":{"name":"Ada Lovelace"}}`},
		{"/api/v2/notes", `{"title":"Two","text":"x"}`, `"createdAt"`},
	} {
		answer, err := http.Post(url+step.path, "application/json", strings.NewReader(step.body))
		if err != nil {
			t.Fatal(err)
		}
		said, err := io.ReadAll(answer.Body)
		if err := errors.Join(err, answer.Body.Close()); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(said), step.want) {
			t.Errorf("POST %s: %d %s, want %s", step.path, answer.StatusCode, said, step.want)
		}
	}
	if err := serve.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, lines)
	if err := serve.Wait(); err != nil {
		t.Errorf("it ended with %v", err)
	}
}

// run runs a program in the folder, which has to work.
func run(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
}
