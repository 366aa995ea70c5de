package source_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/codegen/source"
)

// withFiles is a module with files of ours and generated ones, in gen and in/gen.
func withFiles(t *testing.T) *source.Tree {
	t.Helper()
	tree := acme(t)
	for name, text := range map[string]string{
		"go.mod":     "module example.com/acme\n\ngo 1.26\n\nrequire example.com/kit v0.0.0\n\nreplace example.com/kit => ../kit\n",
		"in/ours.go": "ours", "gen/old.go": "old", "gen/same.go": "same", "gen/sub/gone.go": "gone", "in/gen/x.go": "x",
	} {
		if err := os.MkdirAll(filepath.Dir(tree.Path(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(tree.Path(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return tree
}

func stage(t *testing.T, tree *source.Tree) *source.Stage {
	t.Helper()
	s, err := tree.Stage("gen", "in/gen", "new/gen")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func write(t *testing.T, tree *source.Tree, folder, name, text string) {
	t.Helper()
	if err := tree.Folder(folder).WriteFile(name, []byte(text)); err != nil {
		t.Fatal(err)
	}
}

func TestAStageThatIsNotCommittedChangesNothing(t *testing.T) {
	t.Parallel()
	tree := withFiles(t)
	s := stage(t, tree)
	if read(t, s.Tree, "in/ours.go") != "ours" || read(t, s.Tree, "gen/old.go") != "old" {
		t.Error("the stage is not like the tree")
	}
	if mod := read(t, s.Tree, "go.mod"); !strings.Contains(mod, "=> "+filepath.Join(filepath.Dir(tree.Root), "kit")) {
		t.Errorf("go.mod replaces by a path that is seen from elsewhere:\n%s", mod)
	}
	write(t, s.Tree, "gen", "old.go", "new")
	write(t, s.Tree, "new/gen", "a.go", "a")
	// It was killed: the next one begins anew.
	if read(t, s.Tree, ".gitignore") != "*\n" {
		t.Error("git would tell of it")
	}
	if again := stage(t, tree); read(t, again.Tree, "gen/old.go") != "old" {
		t.Error("what was left behind is in the next stage")
	} else if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(tree.Path("new")); !os.IsNotExist(err) || read(t, tree, "gen/old.go") != "old" {
		t.Errorf("the tree has changed: %v", err)
	}
	if _, err := os.Stat(s.Root); !os.IsNotExist(err) {
		t.Errorf("the stage is still there: %v", err)
	}
}

func TestACommitReplacesWhatDiffers(t *testing.T) {
	t.Parallel()
	tree := withFiles(t)
	long := time.Now().Add(-time.Hour)
	if err := os.Chtimes(tree.Path("gen/same.go"), long, long); err != nil {
		t.Fatal(err)
	}
	s := stage(t, tree)
	write(t, s.Tree, "gen", "old.go", "new")
	write(t, s.Tree, "gen", "same.go", "same")
	write(t, s.Tree, "new/gen/sub", "a.go", "a")
	if err := os.RemoveAll(s.Path("gen/sub")); err != nil {
		t.Fatal(err)
	}
	if err := s.Commit(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"gen/old.go": "new", "new/gen/sub/a.go": "a", "in/gen/x.go": "x", "in/ours.go": "ours"} {
		if got := read(t, tree, name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if _, err := os.Stat(tree.Path("gen/sub")); !os.IsNotExist(err) {
		t.Errorf("what is no longer generated is there: %v", err)
	}
	if info, err := os.Stat(tree.Path("gen/same.go")); err != nil || time.Since(info.ModTime()) < time.Minute {
		t.Errorf("what is the same is written anew, %v", err)
	}
}
