package codegen

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/codegen/source"
)

// Git takes generated files for generated and leaves merges of them to weave. A module
// whose own .gitattributes names generated folders gets no others.
func TestFoldersOfGeneratedFilesHaveAttributes(t *testing.T) {
	t.Parallel()
	tree := &source.Tree{Root: t.TempDir(), Module: "example.com/acme"}
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(tree.Path(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(tree.Path(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	git := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir, cmd.Env = tree.Root, append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	git("init", "--quiet")
	for _, name := range []string{"ent/note/note.go", "internal/rows/note.go", "internal/own/note.go", "migrate/sqlite/atlas.sum", "migrate/sqlite/1_first.sql"} {
		write(name, "x")
	}
	write("internal/service/.gitattributes", "* linguist-generated=true -merge\n") // the service is by hand now
	if err := attribute(tree); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"ent/note/note.go":           "true unset unset",
		"internal/rows/note.go":      "true unspecified unset",
		"internal/own/note.go":       "unspecified unspecified unspecified",
		"migrate/sqlite/atlas.sum":   "unspecified unspecified unset",
		"migrate/schema.sum":         "unspecified unspecified unset",
		"migrate/sqlite/1_first.sql": "unspecified unspecified unspecified",
	} {
		var got []string
		for line := range strings.Lines(git("check-attr", "linguist-generated", "diff", "merge", "--", name)) {
			got = append(got, strings.TrimSpace(line[strings.LastIndex(line, ":")+1:]))
		}
		if said := strings.Join(got, " "); said != want {
			t.Errorf("%s: generated, diff and merge are %s, want %s", name, said, want)
		}
	}
	for _, folder := range []string{"gql", "internal/service"} {
		if _, err := os.Stat(tree.Path(folder)); err == nil {
			t.Errorf("%s is there, of which nothing is generated", folder)
		}
	}

	write(".gitattributes", "/ent/** linguist-generated=true\n")
	if err := os.Remove(tree.Path("ent/.gitattributes")); err != nil {
		t.Fatal(err)
	}
	if err := attribute(tree); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(tree.Path("ent/.gitattributes")); err == nil {
		t.Error("a module that has attributes of its own gets others")
	}
}
