package source_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"text/template"
	"time"

	"github.com/entwine-go/entwine/kit/codegen/source"
)

// acme is an empty module.
func acme(t *testing.T) *source.Tree {
	t.Helper()
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "go.mod"), []byte("// A shop.\nmodule example.com/acme // ours\n\ngo 1.26\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tree, err := source.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func read(t *testing.T, tree *source.Tree, name string) string {
	t.Helper()
	text, err := os.ReadFile(tree.Path(name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestTemplatesHaveThePathsOfTheModuleAndTheKit(t *testing.T) {
	t.Parallel()
	tree := acme(t)
	file := template.Must(template.New("").Parse("{{ .Header }}\npackage cart\nimport ( _ \"{{ .Kit }}/policy\"; _ \"{{ .Module }}/ent\" ) // {{ .Name }}\n"))
	if err := tree.Folder("rest").WriteGo("cart.go", file, source.Data{"Name": "Cart"}); err != nil {
		t.Fatal(err)
	}
	got := read(t, tree, "rest/cart.go")
	for _, want := range []string{source.Header, `"github.com/entwine-go/entwine/kit/policy"`, `"example.com/acme/ent"`, "// Cart"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

func TestOnlyUsedPackagesAreImported(t *testing.T) {
	t.Parallel()
	tree := acme(t)
	file := template.Must(template.New("").Parse("{{ .Header }}\n\npackage cart\n\nvar _ = ent.Cart{Path: strings.ToLower(`A`)}\n"))
	packages := []string{"context", "strings", "example.com/acme/ent", "example.com/acme/schema"}
	if err := tree.Folder("rest").WriteImporting("cart.go", file, nil, packages); err != nil {
		t.Fatal(err)
	}
	got := read(t, tree, "rest/cart.go")
	for _, path := range packages {
		if want := path == "strings" || strings.HasSuffix(path, "/ent"); strings.Contains(got, `"`+path+`"`) != want {
			t.Errorf("%s is imported: %v, want %v\n%s", path, !want, want, got)
		}
	}
}

func TestWhatIsNoLongerGeneratedIsRemoved(t *testing.T) {
	t.Parallel()
	tree := acme(t)
	earlier := tree.Folder("gql")
	for _, name := range []string{"cart.graphql", "order.graphql", "user.graphql", "models.go", "sub/cart.graphql"} {
		if err := earlier.WriteFile(name, nil); err != nil {
			t.Fatal(err)
		}
	}
	folder := tree.Folder("gql")
	if err := folder.WriteFile("cart.graphql", nil); err != nil {
		t.Fatal(err)
	}
	folder.Keep("user.graphql")
	if err := folder.RemoveOthers("*.graphql"); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		"cart.graphql": true, "order.graphql": false, "user.graphql": true, "models.go": true, "sub/cart.graphql": true,
	} {
		if _, err := os.Stat(tree.Path("gql/" + name)); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", name, !want, want)
		}
	}
}

func TestWhatIsTheSameIsNotWritten(t *testing.T) {
	t.Parallel()
	tree := acme(t)
	write := func() {
		if err := tree.Folder("gql").WriteFile("cart.graphql", []byte("type Cart")); err != nil {
			t.Fatal(err)
		}
	}
	write()
	long := time.Now().Add(-time.Hour)
	path := tree.Path("gql/cart.graphql")
	if err := os.Chtimes(path, long, long); err != nil {
		t.Fatal(err)
	}
	write()
	if info, err := os.Stat(path); err != nil || time.Since(info.ModTime()) < time.Minute {
		t.Errorf("the file is written anew, %v", err)
	}
}

func TestAFolderWithoutAModuleIsRefused(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	if _, err := source.Open(root); err == nil {
		t.Error("a folder without go.mod is a module")
	}
	if err := os.WriteFile(filepath.Join(root, "go.mod"), []byte("go 1.26\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := source.Open(root); err == nil || !strings.Contains(err.Error(), "no module path") {
		t.Errorf("go.mod without a path: %v", err)
	}
}
