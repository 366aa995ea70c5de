package codegen_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
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
var notWords = []string{"ValidEmail", "Denied", "As", "IncludeDeleted", "Restrict"}

func TestTheDocumentationNamesEveryWord(t *testing.T) {
	text := doc(t)
	for _, name := range []string{"expose", "policy"} {
		test := func(f fs.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }
		packages, err := parser.ParseDir(token.NewFileSet(), "../"+name, test, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range packages[name].Files {
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

// The example at the end of the documentation is a schema, without a mistake.
func TestTheExampleOfTheDocumentationIsGenerated(t *testing.T) {
	text := doc(t)
	_, example, ok := strings.Cut(text[strings.Index(text, "# A complete example"):], "\n\tpackage schema\n")
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
