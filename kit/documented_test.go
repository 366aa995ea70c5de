package kit_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// public are the packages that people import: those that the promise of
// compatibility covers.
func public(t *testing.T) (all []string) {
	t.Helper()
	text, err := os.ReadFile("public.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "#") {
			all = append(all, strings.TrimSpace(line))
		}
	}
	return all
}

// shared are the packages that generated code and the wiring of a service
// import beside these. They change with the generator, and promise nothing.
var shared = []string{
	"config", "console", "documents", "entity", "files", "files/clamd", "files/clamd/clamdtest", "files/filestest", "files/imgproxy", "files/s3", "files/s3/s3test", "files/webp", "fold", "gid", "idempotency", "live", "manifest", "migration", "mutation", "presence", "pubsub", "ratelimit", "read", "requestid",
	"sample", "search", "store", "usage", "web", "write",
	"graph", "graph/execute", "graph/handler", "graph/limits", "graph/plan", "graph/signin", "graph/subscribe", "graph/wire",
	"rest", "rest/announce", "rest/apiversion", "rest/builtin", "rest/crud", "rest/failure", "rest/handler", "rest/negotiate", "rest/params", "rest/signin",
}

// Every exported name of the public packages has a comment: of its own, or that
// of its group or of its struct where that one names it.
func TestPublicNamesAreDocumented(t *testing.T) {
	t.Parallel()
	for _, name := range public(t) {
		for _, at := range undocumented(t, name) {
			t.Errorf("kit/%s has no comment", at)
		}
	}
}

// All packages below kit are public or shared, but for those that generated code
// alone imports, the generator and the kit's own.
func TestPackagesAreListed(t *testing.T) {
	t.Parallel()
	listed := map[string]bool{}
	for _, name := range slices.Concat(public(t), shared) {
		listed[name] = true
	}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		switch d.Name() {
		case "gen", "internal", "codegen", "testdata", "testreport": // testreport is a program
			return fs.SkipDir
		}
		if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil {
			return fs.SkipDir // a module of its own
		}
		files, err := filepath.Glob(filepath.Join(path, "*.go"))
		if err == nil && path != "." && len(files) > 0 && !listed[filepath.ToSlash(path)] {
			t.Errorf("kit/%s is in no list of packages", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// undocumented are the places of exported names without a comment.
func undocumented(t *testing.T, dir string) (all []string) {
	t.Helper()
	set := token.NewFileSet()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(names) == 0 {
		t.Fatalf("kit/%s has no files: %v", dir, err)
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	p, err := doc.NewFromFiles(set, files, "kit/"+dir)
	if err != nil {
		t.Fatal(err)
	}
	miss := func(at token.Pos, name string) { all = append(all, set.Position(at).String()+": "+name) }
	if p.Doc == "" {
		miss(files[0].Pos(), "package "+p.Name)
	}
	values := func(of []*doc.Value) {
		for _, group := range of {
			for _, spec := range group.Decl.Specs {
				v := spec.(*ast.ValueSpec)
				if ast.IsExported(v.Names[0].Name) && group.Doc == "" && v.Doc == nil && v.Comment == nil {
					miss(v.Pos(), v.Names[0].Name)
				}
			}
		}
	}
	funcs := func(of []*doc.Func) {
		for _, f := range of {
			if f.Doc == "" && f.Level == 0 {
				miss(f.Decl.Pos(), strings.TrimPrefix(f.Recv+"."+f.Name, "."))
			}
		}
	}
	values(p.Consts)
	values(p.Vars)
	funcs(p.Funcs)
	for _, typ := range p.Types {
		values(typ.Consts)
		values(typ.Vars)
		funcs(typ.Funcs)
		funcs(typ.Methods)
		for _, spec := range typ.Decl.Specs {
			s := spec.(*ast.TypeSpec)
			if typ.Doc == "" && s.Doc == nil {
				miss(s.Pos(), s.Name.Name)
			}
			if strings.Contains(strings.Join(strings.Fields(typ.Doc), " "), "do not fill it in") {
				continue // its members have the names of functions
			}
			for _, f := range members(s, typ.Doc) {
				miss(f.Pos(), s.Name.Name+"."+f.Names[0].Name)
			}
		}
	}
	return all
}

// members are the exported fields and methods of the type that no comment names:
// neither their own, nor the one before them, nor the type's.
func members(s *ast.TypeSpec, about string) (all []*ast.Field) {
	var list []*ast.Field
	switch t := s.Type.(type) {
	case *ast.StructType:
		list = t.Fields.List
	case *ast.InterfaceType:
		list = t.Methods.List
	}
	before := about
	for _, f := range list {
		if f.Doc != nil {
			before = about + f.Doc.Text()
		}
		if len(f.Names) == 0 || !ast.IsExported(f.Names[0].Name) || f.Doc != nil || f.Comment != nil {
			continue
		}
		if !regexp.MustCompile(`\b` + f.Names[0].Name + `\b`).MatchString(before) {
			all = append(all, f)
		}
	}
	return all
}
