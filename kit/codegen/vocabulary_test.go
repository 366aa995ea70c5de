package codegen_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/orm"
	"github.com/entwine-go/entwine/kit/codegen/source"
)

// doc is the page that a schema author reads.
func doc(t *testing.T) string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../../schema/doc.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return file.Doc.Text()
}

// notWords are exported by the packages of the vocabulary, but not for schemas.
var notWords = []string{"IsFile", "ValidEmail", "ValidLine", "CleanLine", "CheckSize", "Span", "CheckPassword", "Before", "After", "NewSent", "FieldOf", "ResourceOf", "PresenceIn", "CalcOf", "CalcTerms", "Conditions", "Both", "FewerPins", "ReadsByHand", "Denied", "As", "IncludeDeleted", "Restrict", "Attachings", "KeptBy", "Of", "Find", "AsRules", "Key", "Keys"}

func TestTheDocumentationNamesEveryWord(t *testing.T) {
	text := doc(t)
	for _, name := range []string{"expose", "policy"} {
		for _, file := range parsed(t, "../"+name) {
			for _, d := range file.Decls {
				f, ok := d.(*ast.FuncDecl)
				if !ok || f.Recv != nil || !f.Name.IsExported() || slices.Contains(notWords, f.Name.Name) {
					continue
				}
				if word := name + "." + f.Name.Name; !strings.Contains(text, word) {
					t.Errorf("schema/doc.go does not tell of %s", word)
				}
			}
		}
	}
}

// parsed returns the files of a package, but for tests.
func parsed(t *testing.T, dir string) []*ast.File {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no files in %s: %v", dir, err)
	}
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

// The example at the end of the documentation is a schema, without a mistake.
func TestTheExampleOfTheDocumentationIsGenerated(t *testing.T) {
	text := doc(t)
	_, last, _ := strings.Cut(text, "# A complete example")
	_, example, ok := strings.Cut(last, "\n\tpackage schema\n")
	if !ok {
		t.Fatal("there is no example")
	}
	tree := copySchema(t)
	if err := os.WriteFile(tree.Path("schema/supplier.go"), []byte("package schema\n"+example), 0o600); err != nil {
		t.Fatal(err)
	}
	schemas, err := orm.Load(tree)
	if err != nil {
		t.Fatal(err)
	}
	graph, err := orm.NewGraph(tree, schemas)
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.New(graph)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(m.Entities, func(e *model.Entity) bool { return e.Name == "Supplier" && len(e.Operations) == 6 }) {
		t.Error("the supplier is not among the entities")
	}
}

// copySchema copies the schemas into a tree of their own, which is inside the
// module for the sake of its imports, where ./... does not look.
func copySchema(t *testing.T) *source.Tree {
	t.Helper()
	if err := os.MkdirAll("testdata", 0o755); err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("testdata", "schema-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = os.RemoveAll(dir)
		_ = os.Remove("testdata") // unless it holds more
	})
	copyFiles(t, dir, "schema/*.go")
	if dir, err = filepath.Abs(dir); err != nil {
		t.Fatal(err)
	}
	return &source.Tree{Root: dir, Module: "example.com/documented"}
}
