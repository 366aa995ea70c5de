// Package position finds where a mistake stands in the source of schemas. A
// schema is a Go program, so what it says is known by running it, and where it
// says so by reading it: the call that declares a field or an edge, in the
// schema or in its mixins, and in that the word that a message is about.
package position

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Index is the source of a folder of schemas.
type Index struct {
	fset  *token.FileSet
	types map[string]*declared
	// vars are the values of package variables.
	vars []ast.Expr
	// folder is the prefix of the files' names.
	folder string
}

// declared is a type with its methods.
type declared struct {
	at      token.Pos
	methods map[string]*ast.FuncDecl
	// embedded are the types that it embeds, mixed its mixins, and mixins the
	// expressions of these by the names of their types, without their packages.
	embedded, mixed []string
	mixins          map[string]token.Pos
}

// parts are the types that declare what the type has.
func (t *declared) parts() []string { return slices.Concat(t.embedded, t.mixed) }

// Read parses the Go files of the folder, but for tests. A file that does not
// parse is left out: the compiler reports it.
func Read(dir string) (*Index, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	x := &Index{fset: token.NewFileSet(), types: map[string]*declared{}, folder: filepath.Base(dir)}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(x.fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		for _, d := range file.Decls {
			x.add(d)
		}
	}
	return x, nil
}

func (x *Index) add(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv != nil && d.Body != nil {
			x.addMethod(x.of(typeName(d.Recv.List[0].Type)), d)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				x.vars = append(x.vars, spec.Values...)
			case *ast.TypeSpec:
				x.addType(spec)
			}
		}
	}
}

func (x *Index) addMethod(t *declared, d *ast.FuncDecl) {
	t.methods[d.Name.Name] = d
	if d.Name.Name != "Mixin" {
		return
	}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		if name := typeName(lit.Type); name != "" {
			t.mixed = append(t.mixed, name)
			t.mixins[name] = lit.Pos()
		} else if s, ok := lit.Type.(*ast.SelectorExpr); ok {
			t.mixins[s.Sel.Name] = lit.Pos()
		}
		return true
	})
}

func (x *Index) addType(spec *ast.TypeSpec) {
	t := x.of(spec.Name.Name)
	t.at = spec.Pos()
	s, ok := spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, f := range s.Fields.List {
		if len(f.Names) == 0 && typeName(f.Type) != "" {
			t.embedded = append(t.embedded, typeName(f.Type))
		}
	}
}

func (x *Index) of(name string) *declared {
	if x.types[name] == nil {
		x.types[name] = &declared{methods: map[string]*ast.FuncDecl{}, mixins: map[string]token.Pos{}}
	}
	return x.types[name]
}

// typeName is the name of a type of the package, "" for others.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// Find returns the file and line of what the message says of the entity, or of
// its field or edge: "schema/post.go:41". It is "" where there is none.
func (x *Index) Find(entity, member, message string) string {
	t := x.types[entity]
	if t == nil || !t.at.IsValid() {
		return ""
	}
	at := t.at
	if found := x.find(entity, member, message, map[string]bool{}); found.IsValid() {
		at = found
	}
	return x.place(at)
}

func (x *Index) place(at token.Pos) string {
	p := x.fset.Position(at)
	return fmt.Sprintf("%s:%d", path.Join(x.folder, filepath.Base(p.Filename)), p.Line)
}

// Method returns the file and line of the method of the entity, or of its mixin
// where one is named, or of a type that either embeds. Where the folder does not
// declare it, it is the place that names the mixin, or the entity.
func (x *Index) Method(entity, mixin, method string) string {
	t := x.types[entity]
	if t == nil || !t.at.IsValid() {
		return ""
	}
	of := entity
	if mixin != "" {
		of = mixin
	}
	if f := x.method(of, method); f != nil {
		return x.place(f.Pos())
	}
	if mixin != "" {
		if at := x.mixin(entity, mixin[strings.LastIndex(mixin, ".")+1:]); at.IsValid() {
			return x.place(at)
		}
	}
	return x.place(t.at)
}

// method is that of the type or of one that it embeds.
func (x *Index) method(of, name string) *ast.FuncDecl {
	for _, t := range x.embedding(of) {
		if f := t.methods[name]; f != nil {
			return f
		}
	}
	return nil
}

// embedding lists the type and those that it embeds, the nearest first.
func (x *Index) embedding(of string) (all []*declared) {
	for names := []string{of}; len(names) > 0; names = names[1:] {
		if t := x.types[names[0]]; t != nil && !slices.Contains(all, t) {
			all, names = append(all, t), append(names, t.embedded...)
		}
	}
	return all
}

// mixin is where the entity, or a type that it embeds, names the mixin, or else its
// method Mixin.
func (x *Index) mixin(of, name string) token.Pos {
	for _, t := range x.embedding(of) {
		if at, ok := t.mixins[name]; ok {
			return at
		}
	}
	if f := x.method(of, "Mixin"); f != nil {
		return f.Pos()
	}
	return token.NoPos
}

func (x *Index) find(entity, member, message string, seen map[string]bool) token.Pos {
	t := x.types[entity]
	if t == nil || seen[entity] {
		return token.NoPos
	}
	seen[entity] = true
	if member == "" {
		if at := x.ofEntity(t, message); at.IsValid() {
			return at
		}
	} else {
		for _, method := range []string{"Fields", "Edges"} {
			if element := declares(t.methods[method], member); element != nil {
				return within(element, message)
			}
		}
	}
	for _, part := range t.parts() {
		if at := x.find(part, member, message, seen); at.IsValid() {
			return at
		}
	}
	return token.NoPos
}

// ofEntity finds what is said of the entity as a whole.
func (x *Index) ofEntity(t *declared, message string) token.Pos {
	order := []string{"Annotations", "Indexes", "Policy", "Mixin"}
	if declared := strings.HasPrefix(message, "action ") || strings.HasPrefix(message, "link "); strings.Contains(message, "policy") && !declared {
		order = []string{"Policy"}
	}
	for _, method := range order {
		if f := t.methods[method]; f != nil {
			if at := mentioned(f.Body, message); at.IsValid() {
				return at
			}
		}
	}
	if f := t.methods["Policy"]; f != nil && strings.Contains(message, "policy.") {
		for _, value := range x.vars { // a rule that several entities share
			if at := mentioned(value, message); at.IsValid() && quoted.MatchString(message) {
				return at
			}
		}
		return f.Pos()
	}
	if f := t.methods["Annotations"]; f != nil {
		return f.Pos()
	}
	return token.NoPos
}

// declares returns the element of the list that declares the field or edge.
func declares(f *ast.FuncDecl, member string) (element ast.Node) {
	if f == nil {
		return nil
	}
	var stack []ast.Node
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		call, ok := n.(*ast.CallExpr)
		if element != nil || !ok || len(call.Args) == 0 || text(call.Args[0]) != member {
			return true
		}
		s, ok := call.Fun.(*ast.SelectorExpr)
		x, isIdent := s2ident(s)
		key := ok && s.Sel.Name == "Field" // of an edge, which declares its foreign key
		if !key && (!ok || !isIdent || x != "field" && x != "edge") {
			return true
		}
		for i, outer := range slices.Backward(stack) {
			switch outer := outer.(type) {
			case *ast.CompositeLit:
				element = stack[i+1]
				return true
			case *ast.CallExpr:
				if name, ok := outer.Fun.(*ast.Ident); ok && name.Name == "append" {
					element = stack[i+1]
					return true
				}
			}
		}
		element = call
		return true
	})
	return element
}

func s2ident(s *ast.SelectorExpr) (string, bool) {
	if s == nil {
		return "", false
	}
	x, ok := s.X.(*ast.Ident)
	if !ok {
		return "", false
	}
	return x.Name, true
}

// within finds the message in the declaration of a field or an edge.
func within(element ast.Node, message string) token.Pos {
	if at := mentioned(element, message); at.IsValid() {
		return at
	}
	return element.Pos()
}

var (
	words  = regexp.MustCompile(`\b(expose|policy|entsql|entgql|index)\.(\w+)`)
	quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
)

// mentioned finds the word of the vocabulary that the message begins with, the
// one with the text it quotes if there are several, or else the first text
// that it quotes.
func mentioned(in ast.Node, message string) token.Pos {
	var texts []string
	for _, q := range quoted.FindAllString(message, -1) {
		if s, err := strconv.Unquote(q); err == nil {
			texts = append(texts, s)
		}
	}
	word := words.FindStringSubmatch(message)
	if word == nil {
		return literal(in, texts)
	}
	var first, best token.Pos
	ast.Inspect(in, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok || !names(e, word[1], word[2]) {
			return true
		}
		if !first.IsValid() {
			first = e.Pos()
		}
		if at := literal(n, texts); !best.IsValid() && at.IsValid() {
			best = at
		}
		return true
	})
	switch {
	case best.IsValid():
		return best
	case word[1] == "policy" && len(texts) > 0: // the same word about something else is not it
		return token.NoPos
	case first.IsValid():
		return first
	}
	return literal(in, texts)
}

// names reports whether the expression is a call of the word, a literal of
// that type, or the word alone.
func names(e ast.Expr, pkg, name string) bool {
	switch e := e.(type) {
	case *ast.CallExpr:
		return names(e.Fun, pkg, name)
	case *ast.CompositeLit:
		return e.Type != nil && names(e.Type, pkg, name)
	case *ast.SelectorExpr:
		x, ok := e.X.(*ast.Ident)
		return ok && x.Name == pkg && e.Sel.Name == name
	}
	return false
}

// literal finds the first of the texts that stands in the node.
func literal(in ast.Node, texts []string) token.Pos {
	for _, t := range texts {
		at := token.NoPos
		ast.Inspect(in, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok && !at.IsValid() && t != "" && text(e) == t {
				at = e.Pos()
			}
			return true
		})
		if at.IsValid() {
			return at
		}
	}
	return token.NoPos
}

// text is the value of a literal text, "" for everything else.
func text(e ast.Expr) string {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return ""
	}
	s, err := strconv.Unquote(lit.Value)
	if err != nil {
		return ""
	}
	return s
}
