package codegen_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// ofTheService is the import of a package of this module that is not the kit's.
var ofTheService = regexp.MustCompile(`"github\.com/entwine-go/entwine/(?:[^k"]|k[^i])[^"]*"`)

// importsNoneOfTheService walks what was generated in a module of one's own: its
// files import packages of the module and of the kit, and none of this service.
func importsNoneOfTheService(t *testing.T, root string) {
	t.Helper()
	generated := 0
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(file) != ".go" {
			return err
		}
		source, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if strings.Contains(string(source), `"example.com/acme/`) {
			generated++
		}
		if found := ofTheService.Find(source); found != nil {
			t.Errorf("%s imports %s", strings.TrimPrefix(file, root), found)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if generated == 0 {
		t.Error("no file imports a package of the module")
	}
}

// ownModule is a module with this one's schemas and operations by hand, and
// nothing generated.
func ownModule(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for _, pattern := range []string{"go.sum", "schema/*.go", "gql/*.graphql", "rest/*.yaml"} {
		copyFiles(t, root, pattern)
	}
	text, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	entwine, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	const path = "github.com/entwine-go/entwine"
	mod := strings.Replace(string(text), "module "+path, "module example.com/acme", 1) +
		fmt.Sprintf("\nrequire %s v0.0.0\n\nreplace %[1]s => %s\n", path, entwine)
	if err := os.WriteFile(filepath.Join(root, "go.mod"), []byte(mod), 0o600); err != nil {
		t.Fatal(err)
	}
	return root
}

// copyFiles copies the files of this module that match the pattern, but for tests.
func copyFiles(t *testing.T, root, pattern string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("../..", pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files %s: %v", pattern, err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		target := filepath.Join(root, filepath.Dir(pattern), filepath.Base(file))
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(target, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
