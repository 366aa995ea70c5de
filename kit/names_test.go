package kit_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// allowed are words of the kit's own that an entity of the service happens to
// be called, by what they are, and where: everywhere if that is empty.
var allowed = []struct{ word, where, why string }{
	{"Comment", "", "what Ent calls a description"},
	{"Order", "codegen/graphql/", "how entgql ends the names of orders"},
	{"Order", "codegen/orm/names", "how entgql ends the names of orders"},
	{"Job", "jobs/", "the package keeps jobs, in a table of that name"},
	{"jobs", "jobs/", "the package keeps jobs, in a table of that name"},
	{"/jobs", "jobs/", "where the result of a job is"},
	{"/jobs", "codegen/service/", "the package that keeps jobs, in an import"},
	{"jobs", "codegen/triggers/", "a topic enqueues a job of package jobs"},
	{"Job", "tables/", "the table that package jobs keeps"},
	{"/jobs", "tables/", "where the result of a job is"},
	{"emails", "mail/", "the mailbox keeps mail, in a table of that name"},
	{"users", "account/", "whose accounts they are: the table that every service with accounts has"},
	{"api_keys", "account/", "the package keeps the keys of programs, in a table of that name"},
	{"User", "codegen/model/accounts", "the entity of users that every service with accounts has"},
	{"User", "codegen/model/tenant", "the entity of users that every service with accounts has"},
	{"User", "codegen/port/", "the entity of users that every service with accounts has"},
	{"User", "tables/", "the entity of users that every service with accounts has"},
	{"/payments", "config/", "the help of a setting says where the gateway sends messages to"},
	{"Post", "rest/", "the header Accept-Post"},
	{"User", "internal/graph/deprecation/", "the header User-Agent"},
	{"/users", "pgserver/", "a file that counts the users of a server"},
	{"deprecated_uses", "usage/", "the package keeps uses, in a table of that name"},
	{"User", "codegen/crud/", "the entity of callers, as handlers are generated for it"},
}

// The kit is for any service: it knows the entities of none by their names, in Go, GraphQL,
// SQL or the paths of REST. The schemas of a service name its entities.
func TestTheKitKnowsNoEntityByName(t *testing.T) {
	t.Parallel()
	names, paths := entities(t)
	if len(names) < 10 || len(paths) < 10 {
		t.Fatalf("the schemas declare %v at %v", names, paths)
	}
	tables := make([]string, len(paths))
	for i, path := range paths {
		tables[i] = strings.NewReplacer("-", "_", "/", "_").Replace(path)
	}
	forms := []*regexp.Regexp{
		regexp.MustCompile(`\b(` + strings.Join(names, "|") + `)\b`),
		regexp.MustCompile(`(/(?:` + strings.Join(paths, "|") + `))\b`),
		regexp.MustCompile(`\b(?:FROM|JOIN|UPDATE|INTO)\s+"?(` + strings.Join(tables, "|") + `)\b`),
	}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasSuffix(d.Name(), "test") || path == "internal/notes") { // a service of its own
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		for _, text := range literals(t, path) {
			for _, form := range forms {
				for _, at := range form.FindAllStringSubmatchIndex(text.value, -1) {
					word := text.value[at[2]:at[3]]
					if member := at[2] > 0 && text.value[at[2]-1] == '.' && !strings.HasSuffix(text.value[:at[2]], "entity."); member || isAllowed(word, path) {
						continue
					}
					t.Errorf("kit/%s: %q names an entity of the service", text.at, word)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func isAllowed(word, path string) bool {
	for _, a := range allowed {
		if a.word == word && strings.HasPrefix(filepath.ToSlash(path), a.where) {
			return true
		}
	}
	return false
}

// entities are the names of the service's entities, and their paths.
func entities(t *testing.T) (names, paths []string) {
	t.Helper()
	files, err := filepath.Glob("../schema/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.CompositeLit)
			if !ok || !isSelector(literal.Type, "expose", "Resource") {
				return true
			}
			for _, element := range literal.Elts {
				pair, _ := element.(*ast.KeyValueExpr)
				if pair == nil {
					continue
				}
				if key, _ := pair.Key.(*ast.Ident); key != nil && key.Name == "Path" {
					path, err := strconv.Unquote(pair.Value.(*ast.BasicLit).Value)
					if err != nil {
						t.Fatal(err)
					}
					paths = append(paths, path)
				}
			}
			return true
		})
		for _, d := range file.Decls {
			group, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range group.Specs {
				spec, ok := s.(*ast.TypeSpec)
				if !ok {
					continue
				}
				if def, ok := spec.Type.(*ast.StructType); ok && slices.ContainsFunc(def.Fields.List, func(f *ast.Field) bool { return isSelector(f.Type, "ent", "Schema") }) {
					names = append(names, spec.Name.Name)
				}
			}
		}
	}
	return names, paths
}

func isSelector(e ast.Expr, of, name string) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != name {
		return false
	}
	x, ok := s.X.(*ast.Ident)
	return ok && x.Name == of
}

// literal is a text in a file of Go.
type literal struct{ at, value string }

// literals are the texts of a file, but for its imports.
func literals(t *testing.T, path string) (all []literal) {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	imported := map[*ast.BasicLit]bool{}
	for _, i := range file.Imports {
		imported[i.Path] = true
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING && !imported[l] {
			value, err := strconv.Unquote(l.Value)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, literal{files.Position(l.Pos()).String(), value})
		}
		return true
	})
	return all
}
