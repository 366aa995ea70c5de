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

// A service may be a folder of a module that has several. Go finds what it imports by
// go.mod, so the stage is of the whole module.
func TestAStageOfAServiceBelowGoMod(t *testing.T) {
	t.Parallel()
	module := withFiles(t)
	for _, name := range []string{"services/other/a.go", "services/notes/schema/a.go", "services/notes/gen/a.go"} {
		write(t, module, filepath.Dir(name), filepath.Base(name), "old")
	}
	tree, err := source.Open(module.Path("services/notes"))
	if err != nil || tree.Module != "example.com/acme/services/notes" || tree.GoMod() != module.Path("go.mod") {
		t.Fatalf("Open: %+v, %v", tree, err)
	}
	s := stage(t, tree)
	whole := &source.Tree{Root: filepath.Dir(s.GoMod())}
	for name, want := range map[string]string{"services/other/a.go": "old", "in/ours.go": "ours", "services/notes/schema/a.go": "old", "services/notes/gen/a.go": "old"} {
		if got := read(t, whole, name); got != want {
			t.Errorf("%s is %q in the stage, want %q", name, got, want)
		}
	}
	if text := read(t, whole, "go.mod"); !strings.Contains(text, "module example.com/acme\n") {
		t.Errorf("go.mod of the stage is\n%s", text)
	}
	write(t, s.Tree, "gen", "a.go", "new")
	if read(t, module, "services/notes/gen/a.go") != "old" {
		t.Error("the stage changes the module before it is committed")
	}
	if err := s.Commit(); err != nil {
		t.Fatal(err)
	}
	if got := read(t, module, "services/notes/gen/a.go"); got != "new" {
		t.Errorf("the file is %q after the commit", got)
	}
	if _, err := os.Stat(whole.Root); !os.IsNotExist(err) {
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
