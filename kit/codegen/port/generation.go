package port

import (
	"bytes"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// options say what becomes of the options of Ent's generator.
var options = map[string]string{
	"Extensions":    "an extension of one's own can't run, since weave generates Ent's client with REST and GraphQL in one: its templates go to schema/template/*.tmpl, its annotations stay where they are, and its hooks of the generator have no place",
	"TemplateDir":   "the templates go to schema/template/*.tmpl (doc/guides/go-code.md#templates-of-ent)",
	"TemplateFiles": "the templates go to schema/template/*.tmpl (doc/guides/go-code.md#templates-of-ent)",
	"TemplateGlob":  "the templates go to schema/template/*.tmpl (doc/guides/go-code.md#templates-of-ent)",
	"FeatureNames":  "expose.Client of an entity has sql/upsert, sql/lock and sql/modifier (doc/guides/go-code.md); others have no place",
	"Dependency":    "what hooks and methods need is in the value that open makes of them, in cmd",
	"BuildFlags":    "weave builds with the flags of GOFLAGS",
	"Storage":       "the storage is SQL",
	"Annotations":   "annotations of the graph have no place: those of schemas stay",
	"Features":      "expose.Client of an entity has sql/upsert, sql/lock and sql/modifier (doc/guides/go-code.md); others have no place",
	"Hooks":         "a hook of the generator has no place",
	"Templates":     "the templates go to schema/template/*.tmpl (doc/guides/go-code.md#templates-of-ent)",
}

// asks are flags of Ent's generator that ask for more.
var asks = regexp.MustCompile(`--(?:feature|template)[ =]\S+`)

// generation lists what the programs beside the schemas ask of Ent's generator.
func (p *porter) generation(folder string) error {
	notes, _, err := Generation(folder)
	p.plan.Decisions = append(p.plan.Decisions, notes...)
	return err
}

// Generation lists what the programs of a folder ask of Ent's generator, entc.go and the
// comments of go generate, and where they run it.
func Generation(folder string) (asked, run []Note, err error) {
	p := &porter{fset: token.NewFileSet(), plan: &Plan{}}
	for _, name := range []string{"entc.go", "generate.go"} {
		file := filepath.Join(folder, name)
		text, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		parsed, err := parser.ParseFile(p.fset, file, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, nil, err
		}
		if at := runs.FindIndex(text); at != nil {
			run = append(run, Note{file, 1 + bytes.Count(text[:at[0]], []byte("\n")), "Ent's generator: weave generate is run in its place, and the client that it writes would be overwritten: a project without the file is allowed"})
		}
		p.commands(parsed)
		ast.Inspect(parsed, func(n ast.Node) bool { p.option(n); return true })
	}
	return p.plan.Decisions, run, nil
}

// runs are the words by which a file runs Ent's generator.
var runs = regexp.MustCompile(`"entgo\.io/ent/entc"|//go:generate .*(?:entgo\.io/ent/cmd|entc\.go)`)

// commands lists what comments of go generate ask for.
func (p *porter) commands(f *ast.File) {
	for _, group := range f.Comments {
		for _, c := range group.List {
			if flags := asks.FindAllString(c.Text, -1); strings.HasPrefix(c.Text, "//go:generate ") && len(flags) > 0 {
				p.decide(c.Pos(), "%s: weave generate is run in the place of Ent's: %s", strings.Join(flags, " "), options["Features"])
			}
		}
	}
}

// option lists what a call of entc's, or a gen.Config, asks for.
func (p *porter) option(n ast.Node) {
	switch n := n.(type) {
	case *ast.CallExpr:
		if s, ok := n.Fun.(*ast.SelectorExpr); ok {
			if of, ok := s.X.(*ast.Ident); ok && of.Name == "entc" && options[s.Sel.Name] != "" {
				p.decide(n.Pos(), "entc.%s: %s", s.Sel.Name, options[s.Sel.Name])
			}
		}
	case *ast.CompositeLit:
		if s, ok := n.Type.(*ast.SelectorExpr); ok && s.Sel.Name == "Config" {
			p.config(n)
		}
	}
}

// config lists the members of gen.Config that say something.
func (p *porter) config(lit *ast.CompositeLit) {
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		name, ok := kv.Key.(*ast.Ident)
		if list, is := kv.Value.(*ast.CompositeLit); !ok || options[name.Name] == "" || is && len(list.Elts) == 0 {
			continue
		}
		p.decide(kv.Pos(), "gen.Config.%s: %s", name.Name, options[name.Name])
	}
}
