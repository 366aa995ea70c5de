package restarts_test

import (
	"flag"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

var before = flag.String("before", "", "a commit in place of the last release, for TestTheReleaseBeside")

// lastRelease is the program of the last release, in a folder of its own.
func lastRelease(t *testing.T) string {
	t.Helper()
	of := *before
	if of == "" {
		out, err := exec.CommandContext(t.Context(), "git", "describe", "--tags", "--abbrev=0", "--match", "v[0-9]*", "HEAD^").Output()
		if err != nil {
			t.Skip("NOT TESTED: there is no release before this commit (-args -before COMMIT takes another)")
		}
		of = strings.TrimSpace(string(out))
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "bin", "entwine")
	build := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", `git -C ../../.. archive "$0" | tar -x -C "$1"; cd "$1"; go build -o "$2" ./cmd/entwine`, of, dir, program)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build %s: %v\n%s", of, err, out)
	}
	return program
}

// A release is rolled out as the page says: this version migrates below the program of the
// last one, then both serve one database, in which each reads and changes what the other has
// written. No request fails.
func TestTheReleaseBeside(t *testing.T) {
	t.Parallel()
	program := lastRelease(t)
	dir, url := t.TempDir(), storetest.Schema{Key: "empty"}.PostgresURL(t)
	settings := []string{"ENTWINE_DATABASE_URL=" + url, "ENTWINE_ADMIN_PASSWORD=" + trial.AdminPassword}
	old := trial.StartProgram(t, program, dir, settings...)
	token := old.SignIn(t)
	auth := []string{"Authorization", "Bearer " + token}
	first := trial.Write(t, old, token)
	trial.MustRun(t, dir, "migrate", "up", "--database-url", url)
	for seen := len(first.IDs()); len(first.IDs()) < seen+20 && t.Context().Err() == nil; {
		old.Ask(t, "GET", "/readyz", "").Want(t, 200, `"status":"ok"`)
	}
	now := trial.StartIn(t, dir, settings...)
	second := trial.Write(t, now, token)
	for _, s := range []*trial.Service{old, now} {
		s.Ask(t, "GET", "/api/v1/posts?search=kept&limit=5", "", auth...).Want(t, 200, "Kept")
		s.Ask(t, "POST", "/graphql", `{"query":"{ me { id } posts { id title author { name } } }"}`, auth...).Want(t, 200, "Kept")
		s.Ask(t, "GET", "/readyz", "").Want(t, 200, `"status":"ok"`)
	}
	first.End()
	second.End()
	for i, id := range append(first.IDs(), second.IDs()...) {
		writer, reader := old, now
		if i%2 == 0 {
			writer, reader = now, old
		}
		path := fmt.Sprint("/api/v1/posts/", id)
		writer.Ask(t, "PATCH", path, `{"title": "Changed"}`, auth...).Want(t, 200)
		reader.Ask(t, "GET", path, "", auth...).Want(t, 200, "Changed")
	}
	now.Stop(t)
	old.Ask(t, "GET", "/api/v1/posts", "", auth...).Want(t, 200, fmt.Sprintf(`"total":%d`, len(first.IDs())+len(second.IDs())))
	old.Stop(t)
}
