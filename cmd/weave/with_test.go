package main_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

// A project begins with the parts of entwine's own service that are asked for,
// copied from its source: they compile, pass its tests and serve both databases.
func TestAProjectBeginsWithParts(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("compiles the generator and a service")
	}
	storetest.NeedPostgres(t)
	p := newNotes(t, "--with", "blog,shop")
	p.run("make", "test")
	p.run("make", "build")
	p.eachDatabase(func(own *ownProject) {
		program := filepath.Join(p.dir, "bin", "notes")
		s := own.serve(program, "serve")
		s.header = http.Header{"X-Api-Key": {strings.TrimSpace(s.run(program, "apikey", "create", "--permissions", "read,write", "warehouse"))}}
		s.asks([]asked{{"/api/v1/products", `{"name":"Slide rule","price":19.99,"stock":3}`, `"inStock":true`}})
		s.signsUp("Ada Lovelace")
		s.asks([]asked{
			{"/api/v1/posts", `{"title":"Slide rules","content":"They *slide*.","published":true}`, `"likes_count":0`},
			{"/api/v1/posts/1/like", `{}`, `"likes_count":1`},
			{"/graphql", `{"query":"mutation { addPostComment: createComment(input: {postId: 1, text: \"Indeed.\"}) { post { likesCount } } }"}`, `"likesCount":1`},
			{"/api/v1/cart/items", `{"product_id":1,"quantity":2}`, `"subtotal":39.98`},
			{"/api/v1/orders", `{}`, `"total":39.98`},
			{"/api/v1/orders/1/pay", `{}`, `"status":"paid"`},
			{"/graphql", `{"query":"{ order(id: 1) { invoice { number lines { name } } } }"}`, `{"number":1,"lines":[{"name":"Slide rule"}]}`},
		})
		s.answers("/api/v1/search?q=slide", 200, `"counts":{"posts":1,"products":1`)
		s.answers("/api/v1/products/1", 200, `"stock":1`)
		s.end(syscall.SIGTERM)
	})
}

// Each part is whole: it names nothing that the project has not without another.
func TestEachPartIsWhole(t *testing.T) {
	t.Parallel()
	for _, with := range []string{"blog", "shop", "shop,blog"} {
		files, err := filepath.Glob(filepath.Join(begin(t, "--with", with).dir, "schema", "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		var missing []*ast.Ident
		declared := map[string]bool{}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(text), `"github.com/entwine-go/entwine/`) && !strings.Contains(string(text), `"github.com/entwine-go/entwine/kit/`) {
				t.Errorf("--with %s: %s imports the service that it comes from", with, name)
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
			if err != nil {
				t.Fatal(err)
			}
			for name := range file.Scope.Objects {
				declared[name] = true
			}
			missing = append(missing, slices.DeleteFunc(file.Unresolved, func(i *ast.Ident) bool { return imports(file, i.Name) })...)
		}
		for _, i := range missing {
			if !declared[i.Name] && types.Universe.Lookup(i.Name) == nil {
				t.Errorf("--with %s: there is no %s", with, i.Name)
			}
		}
	}
	for with, want := range map[string]string{"bank": `there is no "bank" to begin with; there are: blog, shop`, "blog,": `there is no ""`} {
		if said, code := call(t, "new", "example.com/acme/notes", "--with", with, "--replace", "../..", "--root", t.TempDir()); code != 1 || !strings.Contains(said, want) {
			t.Errorf("--with %s: exit code %d, %s", with, code, said)
		}
	}
	if said, code := call(t, "new", "example.com/acme/notes", "--with", "blog", "--replace", t.TempDir(), "--root", t.TempDir()); code != 1 || !strings.Contains(said, "is not a folder with the source of") {
		t.Errorf("copied from an empty folder: exit code %d, %s", code, said)
	}
}

// imports reports whether the file calls a package so.
func imports(file *ast.File, name string) bool {
	return slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool {
		path, _ := strconv.Unquote(i.Path.Value)
		return filepath.Base(path) == name
	})
}
