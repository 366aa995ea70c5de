package main_test

import (
	"bytes"
	"go/format"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/programtest"
)

func TestANewProjectIsWrittenOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for args, want := range map[string]string{
		"new example.com/acme/notes --replace ../..":              "Makefile",
		"new Notes --replace ../..":                               `"Notes" is not the path of a module`,
		"new example.com/a..b/größe --replace ../..":              "is not the path of a module: invalid char",
		"new example.com/acme/notes/v2.x/A --replace ../..":       `would be called "A": a name after the domain`,
		"new example.com --replace ../..":                         "a name after the domain is needed",
		"new example.com/weave --replace ../..":                   "would be called weave",
		"new github.com/entwine-go/entwine --replace ../..":       "it is entwine's",
		"new example.com/lost --replace testdata":                 "is not a folder with the source of",
		"new github.com/Acme/Own/desk/v2 --replace ../..":         "desk/cmd/desk/main.go",
		"new example.com/acme/other":                              "name one with --version",
		"new example.com/acme/more --version v0.2.0":              "cd ",
		"new example.com/acme/notes example.com/b --version v1.0": "it takes MODULE, not 2 arguments",
	} {
		if out, _ := call(t, append(strings.Fields(args), "--root", dir)...); !strings.Contains(out, want) {
			t.Errorf("weave %s: %s, want %q", args, out, want)
		}
	}
	mod, err := os.ReadFile(filepath.Join(dir, "more", "go.mod"))
	if err != nil || !strings.Contains(string(mod), "require github.com/entwine-go/entwine v0.2.0") || strings.Contains(string(mod), "replace") {
		t.Errorf("go.mod is %s, %v", mod, err)
	}
	for _, name := range []string{"notes", "more", "desk"} {
		formatted(t, filepath.Join(dir, name))
	}
	written, lines := 0, 0
	err = filepath.WalkDir(filepath.Join(dir, "notes"), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		written++
		text, err := os.ReadFile(name)
		if filepath.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") {
			lines += strings.Count(string(text), "\n")
		}
		return err
	})
	if err != nil || written > 16 || lines > 150 {
		t.Errorf("a project begins with %d files and %d lines of Go, %v: at most 16 and 150 are wanted", written, lines, err)
	}
	for dir, weave := range map[string]string{filepath.Join(dir, "notes"): "bin/weave", "../..": "go run ./cmd/weave"} {
		p := &ownProject{T: t, within: programtest.Within(t, programtest.Usual), dir: dir}
		if said := p.run("make", "--dry-run", "migration", "NAME=plain", "ALLOW=--drop notes.done --accept field-dropped"); !strings.Contains(said, weave+" migrate diff 'plain' --drop notes.done --accept field-dropped\n") {
			t.Errorf("make migration in %s runs\n%s", dir, said)
		}
	}
	// The keys and passwords of a service that ran here stay out of images and of caches of builds.
	if ignored, err := os.ReadFile(filepath.Join(dir, "notes", ".dockerignore")); err != nil || !strings.Contains("\n"+string(ignored), "\ndata\n") {
		t.Errorf(".dockerignore is %q, %v: want data in it", ignored, err)
	}
	if out, code := call(t, "new", "example.com/acme/notes", "--replace", "../..", "--root", dir); code != 1 || !strings.Contains(out, "is there already") {
		t.Errorf("a second time: exit code %d, %s", code, out)
	}
}

// formatted fails the test for files that gofmt would change: an editor would on the first save.
func formatted(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".go" {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if well, err := format.Source(text); err != nil || !bytes.Equal(well, text) {
			t.Errorf("gofmt changes %s, %v", name, err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// make prints no line for each package that it compiles; a compile error is printed and ends it.
func TestMakeSaysWhatDoesNotCompile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if out, code := call(t, "new", "example.com/acme/notes", "--replace", "../..", "--root", dir); code != 0 {
		t.Fatal(out)
	}
	project := filepath.Join(dir, "notes")
	if err := os.WriteFile(filepath.Join(project, "migrate", "schema.sum"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	const compiler = "#!/bin/sh\nprintf 'encoding/json\\n# example.com/acme/notes\\nmain.go:7:2: undefined: nothing\\n' >&2\nexit 3\n"
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte(compiler), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{project, "../.."} {
		p := &ownProject{T: t, within: programtest.Within(t, programtest.Usual), dir: at, env: []string{"PATH=" + dir + ":" + os.Getenv("PATH")}}
		out, err := p.try("make", "run")
		if err == nil || strings.Contains(out, "encoding/json\n") || !strings.Contains(out, "main.go:7:2: undefined: nothing") || strings.Contains(out, "serve") {
			t.Errorf("make run in %s: %v\n%s", at, err, out)
		}
		const together = "github.com/entwine-go/entwine/cmd/weave github.com/entwine-go/entwine/kit/app"
		if said := p.run("make", "--dry-run", "dev"); !strings.Contains(said, "build -v -o bin/ ") || at == project && !strings.Contains(said, together) {
			t.Errorf("make dev in %s runs\n%s", at, said)
		}
	}
}
