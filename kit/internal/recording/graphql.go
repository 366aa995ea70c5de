package recording

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
	"github.com/vektah/gqlparser/v2/parser"
)

// named are the members of a request that name a document, or what is run of one.
var named = []string{"operationName", "documentId", "doc_id", "id"}

// GraphQL is the body of a request of GraphQL with stand-ins, also for values that
// stand in the document. Ids are kept. The error says that it is no such request.
func (r *Redactor) GraphQL(body []byte) (json.RawMessage, error) {
	value, err := decode(body)
	if err != nil {
		return nil, err
	}
	request, ok := value.(map[string]any)
	if !ok {
		return nil, errors.New("several operations in one request are not recorded")
	}
	text, has := request["query"].(string)
	extensions, _ := request["extensions"].(map[string]any)
	maps.DeleteFunc(request, func(name string, _ any) bool {
		return name != "query" && name != "variables" && !slices.Contains(named, name)
	})
	if hash := extensions["persistedQuery"]; hash != nil && !has { // it is not the one of the document with stand-ins
		request["extensions"] = map[string]any{"persistedQuery": hash}
	}
	ids := map[string]bool{} // the variables that hold ids
	if has {
		document, err := parser.ParseQuery(&ast.Source{Input: text})
		if err != nil {
			return nil, err
		}
		for _, operation := range document.Operations {
			for _, v := range operation.VariableDefinitions {
				ids[v.Variable] = v.Type.Name() == "ID"
				r.literal("", v.DefaultValue)
			}
			r.directives(operation.Directives)
			r.selection(operation.SelectionSet)
		}
		for _, fragment := range document.Fragments {
			r.directives(fragment.Directives)
			r.selection(fragment.SelectionSet)
		}
		var b strings.Builder
		formatter.NewFormatter(&b, formatter.WithIndent(" ")).FormatQueryDocument(document)
		request["query"] = b.String()
	}
	if variables, ok := request["variables"].(map[string]any); ok {
		for name, of := range variables {
			if !ids[name] && !r.Keeps(name) {
				variables[name] = r.value(of)
			}
		}
	}
	return json.Marshal(request)
}

func (r *Redactor) selection(all ast.SelectionSet) {
	for _, s := range all {
		switch s := s.(type) {
		case *ast.Field:
			for _, a := range s.Arguments {
				r.literal(a.Name, a.Value)
			}
			r.directives(s.Directives)
			r.selection(s.SelectionSet)
		case *ast.InlineFragment:
			r.directives(s.Directives)
			r.selection(s.SelectionSet)
		case *ast.FragmentSpread:
			r.directives(s.Directives)
		}
	}
}

func (r *Redactor) directives(all ast.DirectiveList) {
	for _, d := range all {
		for _, a := range d.Arguments {
			r.literal(a.Name, a.Value)
		}
	}
}

// literal has a stand-in in the place of a value in a document. Words that are values of
// enums are names of the schema.
func (r *Redactor) literal(name string, v *ast.Value) {
	if v == nil || r.Keeps(name) {
		return
	}
	switch v.Kind {
	case ast.StringValue, ast.BlockValue:
		v.Kind, v.Raw = ast.StringValue, r.text(v.Raw)
	case ast.IntValue, ast.FloatValue:
		v.Raw = r.digits(v.Raw)
	}
	for _, of := range v.Children {
		member := of.Name
		if v.Kind == ast.ListValue {
			member = name
		}
		r.literal(member, of.Value)
	}
}
