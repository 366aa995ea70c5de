package fuzz_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/internal/trial/land"
	"github.com/entwine-go/entwine/kit/gid"
)

// rootField is one that a document asks for, under which name.
type rootField struct{ kind, name string }

// writer writes a document of the schema: what it allows, and what it nearly
// does.
type writer struct {
	*gun
	schema    *ast.Schema
	variables members
	declared  []string
	roots     map[string]rootField // by their aliases
	hostile   int                  // one in so many values does not belong, none where it is 0
	fields    int
}

// graphQL makes a request of GraphQL: one in three is as the schema asks.
func (g *gun) graphQL() *shot {
	w := &writer{gun: g, schema: g.schema, roots: map[string]rootField{}}
	mutations := pick(g, []int{0, 1, 2})
	if mutations > 0 {
		w.hostile = 8
	}
	document := w.document()
	text := []byte(document)
	if mutations == 2 && g.once(3) {
		text = g.scrambled(text)
		w.roots = nil
	}
	body := members{{"query", string(text)}}
	if len(w.variables) > 0 || g.once(10) {
		body = append(body, member{"variables", w.variables})
	}
	if mutations > 0 && g.once(8) {
		body = append(body, member{pick(g, []string{"operationName", "extensions", "variables", "query", "id"}), g.atom()})
	}
	s := &shot{method: http.MethodPost, target: "/graphql", header: http.Header{"Content-Type": {"application/json"}}, who: pick(g, land.Callers), roots: w.roots}
	var tree any = body
	if mutations == 2 && g.once(4) {
		tree, s.roots = g.changed(tree), nil
	}
	s.body = appendTree(nil, tree)
	switch {
	case mutations == 2 && g.once(6):
		s.body, s.roots = g.scrambled(s.body), nil
	case g.once(15):
		s.method, s.target, s.body = http.MethodGet, "/graphql?query="+url.QueryEscape(document)+"&variables="+url.QueryEscape(string(appendTree(nil, w.variables))), nil
		s.header.Set("GraphQL-Require-Preflight", "1")
	}
	if mutations > 0 && g.once(8) {
		name := pick(g, otherHeaders)
		if value := printable(g.headerValue(name)); !strings.Contains(value, "event-stream") {
			s.header.Set(name, value)
		}
	}
	if g.once(8) {
		s.header.Set("Accept", pick(g, []string{"application/graphql-response+json", "multipart/mixed", "application/json", "*/*"}))
	}
	s.reads = !strings.HasPrefix(document, "mutation")
	if proof, ok := g.Headers[s.who]; ok {
		s.header.Set(proof[0], proof[1])
	}
	return s
}

func (w *writer) document() string {
	kind, root := "query", w.schema.Query
	switch {
	case w.once(3):
		kind, root = "mutation", w.schema.Mutation
	case w.once(20):
		kind, root = "subscription", w.schema.Subscription
	}
	n := 1 + w.IntN(3)
	switch {
	case kind == "mutation":
		n = 1 // what fails would undo the others: the test undoes all in one transaction
	case w.once(40):
		n = 25
	}
	var b strings.Builder
	for i := range n {
		f := root.Fields[w.IntN(len(root.Fields))]
		if strings.HasPrefix(f.Name, "__") {
			continue
		}
		alias := fmt.Sprintf("r%d", i)
		w.roots[alias] = rootField{kind, f.Name}
		b.WriteString(alias + ": " + w.field(f, 1) + " ")
	}
	if kind == "query" && w.once(30) {
		b.WriteString("__schema { types { name fields { name } } } ")
	}
	head := kind
	if len(w.declared) > 0 {
		head += " Q(" + strings.Join(w.declared, ", ") + ")"
	}
	return head + " { " + b.String() + "__typename }"
}

// field writes a field with its arguments and what is selected of it.
func (w *writer) field(f *ast.FieldDefinition, depth int) string {
	w.fields++
	text := f.Name
	var arguments []string
	for _, a := range f.Arguments {
		if a.Type.NonNull && a.DefaultValue == nil && !(w.hostile > 0 && w.once(30)) || w.once(4) {
			arguments = append(arguments, a.Name+": "+w.argument(f, a))
		}
	}
	if w.hostile > 0 && w.once(60) {
		arguments = append(arguments, pick(w.gun, []string{"first: -1", "first: 99999999999", "where: null", "limit: 0", "after: \"x\"", "nonsense: 1", "orderBy: []"}))
	}
	if len(arguments) > 0 {
		text += "(" + strings.Join(arguments, ", ") + ")"
	}
	if w.once(50) {
		text += pick(w.gun, []string{" @include(if: true)", " @skip(if: false)", " @nonsense"})
	}
	return text + w.selection(w.schema.Types[f.Type.Name()], depth)
}

func (w *writer) selection(def *ast.Definition, depth int) string {
	if !def.IsCompositeType() {
		return ""
	}
	parts := []string{"__typename"}
	if def.IsAbstractType() {
		for _, possible := range w.schema.GetPossibleTypes(def) {
			if w.once(4) {
				parts = append(parts, "... on "+possible.Name+w.selection(possible, depth))
			}
		}
	}
	for range 1 + w.IntN(4) {
		if len(def.Fields) == 0 {
			break
		}
		f := def.Fields[w.IntN(len(def.Fields))]
		if strings.HasPrefix(f.Name, "__") || w.schema.Types[f.Type.Name()].IsCompositeType() && (depth > 5 || w.fields > 40) {
			continue
		}
		part := fmt.Sprintf("f%d: ", len(parts)) + w.field(f, depth+1)
		if w.once(25) {
			part = "... @defer { " + part + " }"
		}
		parts = append(parts, part)
	}
	return " { " + strings.Join(parts, " ") + " }"
}

// argument writes the value of an argument, or declares a variable for it.
func (w *writer) argument(f *ast.FieldDefinition, a *ast.ArgumentDefinition) string {
	about := land.Subject(w.schema, f)
	if !w.once(3) {
		return w.literal(about, a.Name, a.Type, 0)
	}
	name := fmt.Sprintf("v%d", len(w.declared))
	w.declared = append(w.declared, "$"+name+": "+a.Type.String())
	value := raw(w.json(about, a.Name, a.Type, 0))
	w.variables = append(w.variables, member{name, value})
	return "$" + name
}

// literal writes a value as documents have it.
func (w *writer) literal(about, name string, t *ast.Type, depth int) string {
	return w.value(about, name, t, depth, func(field string) string { return field + ": " })
}

// json writes it as variables have it.
func (w *writer) json(about, name string, t *ast.Type, depth int) string {
	return w.value(about, name, t, depth, func(field string) string { return `"` + field + `": ` })
}

func (w *writer) value(about, name string, t *ast.Type, depth int, key func(string) string) string {
	switch {
	case w.hostile > 0 && w.once(w.hostile*4):
		return string(appendTree(nil, w.atom()))
	case !t.NonNull && w.once(15):
		return "null"
	case t.Elem != nil:
		var all []string
		for range w.IntN(3) {
			all = append(all, w.value(about, name, t.Elem, depth+1, key))
		}
		return "[" + strings.Join(all, ", ") + "]"
	}
	def := w.schema.Types[t.NamedType]
	switch def.Kind {
	case ast.InputObject:
		var all []string
		for _, f := range def.Fields {
			if f.Type.NonNull && f.DefaultValue == nil || depth < 4 && w.once(max(2, len(def.Fields)/3)) {
				all = append(all, key(f.Name)+w.value(about, f.Name, f.Type, depth+1, key))
			}
		}
		return "{" + strings.Join(all, ", ") + "}"
	case ast.Enum:
		if key("") != ": " {
			return `"` + pick(w.gun, def.EnumValues).Name + `"`
		}
		return pick(w.gun, def.EnumValues).Name
	}
	return w.scalar(about, name, t.NamedType)
}

func (w *writer) scalar(about, name, kind string) string {
	quoted := func(text string) string { return string(appendTree(nil, text)) }
	switch kind {
	case "ID":
		for _, suffix := range []string{"Id", "ID", "Ids", "IDs"} {
			if owner, ok := strings.CutSuffix(name, suffix); ok && owner != "" {
				about = strings.ToUpper(owner[:1]) + owner[1:]
			}
		}
		if known := w.gids[about]; known != "" && !w.once(4) {
			return quoted(known)
		}
		return pick(w.gun, []string{"1", "2", "999999", `"1"`, quoted(w.gids["User"]), quoted(w.gids["Order"]), quoted(pick(w.gun, texts))})
	case "Int":
		return pick(w.gun, []string{"1", "2", "3", "20", "100", "0"})
	case "Float":
		return pick(w.gun, []string{"9.5", "19.99", "0", "1"})
	case "Boolean":
		return pick(w.gun, []string{"true", "false"})
	case "String":
		return quoted(pick(w.gun, texts))
	}
	return pick(w.gun, []string{quoted(pick(w.gun, moments)), quoted(pick(w.gun, texts)), "1", "19.99", "{}"})
}

// globalIDs are the global ids of the owner's rows, by their types.
func globalIDs(l *land.Land) map[string]string {
	all := map[string]string{}
	for _, e := range entity.All {
		for _, row := range []string{e.Name, e.Path} {
			var n int64
			if _, err := fmt.Sscan(l.Rows[row], &n); err == nil && all[e.Name] == "" {
				all[e.Name] = gid.Encode(e.Name, n)
			}
		}
	}
	return all
}

// graphQLAnswer has the members that all answers of GraphQL have.
type graphQLAnswer struct {
	Data   map[string]json.RawMessage
	Errors []struct {
		Message    string
		Extensions struct {
			Code   string
			Status int
		}
	}
}

// graphQL returns what is wrong with an answer of GraphQL.
func (j *judge) graphQL(s *shot, w *httptest.ResponseRecorder) (wrong []string) {
	body := w.Body.Bytes()
	if bytes.Contains(body, []byte("INTERNAL_SERVER_ERROR")) && !bytes.Contains(s.body, []byte("INTERNAL_SERVER_ERROR")) {
		wrong = append(wrong, "the service fails inside")
	}
	media, _, _ := strings.Cut(w.Header().Get("Content-Type"), ";")
	if !strings.HasSuffix(media, "json") || len(body) == 0 {
		return wrong
	}
	var a graphQLAnswer
	if err := json.Unmarshal(body, &a); err != nil {
		return append(wrong, fmt.Sprintf("the body is no answer of GraphQL: %v", err))
	}
	if len(a.Errors) == 0 && a.Data == nil {
		wrong = append(wrong, "there is neither data nor an error")
	}
	for _, e := range a.Errors {
		if e.Extensions.Code == "" {
			wrong = append(wrong, "an error has no code: "+e.Message)
		}
	}
	return append(wrong, j.matrix.graphQL(s, a.Data)...)
}
