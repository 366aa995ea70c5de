package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/store"
)

// tried are three releases of a project, of which the second is safe and the third stops
// the first. Both are tried on copies of a database that the first has served, with the
// requests that it recorded meanwhile.
type tried struct {
	dir           string // of the project at the third
	safe          string // of the migrations up to the second
	first, second string
}

func (x tried) on(t *testing.T, database string) {
	record := filepath.Join(t.TempDir(), "requests")
	c := &client{T: t, kept: map[string]string{}, program: "before", environment: append(environment(t, database),
		"ENTWINE_RECORD="+record, "ENTWINE_RECORD_UNTIL="+time.Now().Add(time.Hour).UTC().Format(time.RFC3339))}
	end := c.serve(x.first)
	c.ask(inOldNames())
	c.send("POST", "/api/v1/notes", `{"title":"Secretive","text":"of Ada","pin":"0451"}`)
	end()
	text := contents(t, record)
	if info, _ := os.Stat(record); info.Mode().Perm() != 0o600 {
		t.Errorf("others read the recording: %v", info.Mode())
	}
	for _, secret := range []string{"0451", "Secretive", "of Ada", "before one"} {
		if strings.Contains(text, secret) {
			t.Errorf("the recording has %q:\n%s", secret, text)
		}
	}

	from := dumped(t, database)
	before := contents(t, from)
	said, code := call(t, "migrate", "try", from, "--requests", record, "--old", x.first, "--new", x.second, "--root", x.safe)
	for _, want := range []string{"_second.sql took ", "subtitle is new: 0 rows have a value", "rank is new: 4 rows have a value", `rank is "3"`, "none failed that did not before"} {
		if code != 0 || !strings.Contains(said, want) {
			t.Errorf("of a safe migration: exit code %d, want %q in\n%s", code, want, said)
		}
	}
	// The program before is that of the commit, and the new one that of the folder.
	said, code = call(t, "migrate", "try", from, "--requests", record, "--against", "first", "--root", x.dir)
	for _, want := range []string{
		"labels, called tags now: 2 rows before, 2 after", "POST /api/v1/notes: 201 before, 500 by the program before, afterwards",
		"GET /api/v1/notes/{id}: 200 before, 500 by the program before, afterwards", `GraphQL mutation Make`, "requests fail that did not before",
	} {
		if code != 1 || !strings.Contains(said, want) {
			t.Errorf("of a migration that stops the program before: exit code %d, want %q in\n%s", code, want, said)
		}
	}
	if strings.Contains(said, "by the new program") {
		t.Errorf("the new program fails:\n%s", said)
	}
	if after := contents(t, from); after != before {
		t.Error("the copy that was named was written")
	}
}

// tagged has the project's repository name a tree, which no branch leads to.
func tagged(t *testing.T, dir, tree, tag string) {
	t.Helper()
	index := filepath.Join(t.TempDir(), "index")
	git := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=Ada", "-c", "user.email=ada@example.com", "--work-tree", tree}, args...)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GIT_INDEX_FILE="+index)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("add", "--all", tree)
	git("tag", tag, git("commit-tree", "-m", tag, git("write-tree")))
}

// dumped is the file of SQLite, or a dump of the database.
func dumped(t *testing.T, database string) string {
	t.Helper()
	if file, ok, err := store.SQLiteFile(database); ok || err != nil {
		return file
	}
	file := filepath.Join(t.TempDir(), "dump")
	if out, err := exec.CommandContext(t.Context(), "pg_dump", "--format=custom", "--file", file, "--dbname", database).CombinedOutput(); err != nil {
		t.Fatalf("pg_dump: %v\n%s", err, out)
	}
	return file
}

func contents(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Copies of an address are made beside it.
func (x tried) beside(t *testing.T, database string) {
	said, code := call(t, "migrate", "try", database, "--root", x.dir)
	if code != 0 || !strings.Contains(said, "Lock of notes was held for") || !strings.Contains(said, "No requests were asked") {
		t.Errorf("exit code %d:\n%s", code, said)
	}
}
