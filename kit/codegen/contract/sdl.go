package contract

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
)

// roots are the types whose fields are operations.
var roots = []string{"Query", "Mutation", "Subscription"}

// addGraphQL adds the operations and types of a schema of GraphQL.
func (c *Contract) addGraphQL(text []byte) error {
	document, err := parser.ParseSchema(&ast.Source{Input: string(text)})
	if err != nil {
		return err
	}
	for _, d := range slices.Concat(document.Definitions, document.Extensions) {
		if slices.Contains(roots, d.Name) {
			for _, f := range d.Fields {
				c.Operations = append(c.Operations, rootField(strings.ToLower(d.Name), f))
			}
			continue
		}
		s := Shape{API: "GraphQL", Name: d.Name, Input: d.Kind == ast.InputObject}
		for _, f := range d.Fields {
			s.Members = append(s.Members, ShapeMember{Name: f.Name, Type: f.Type.String(), Required: f.Type.NonNull && f.DefaultValue == nil})
			for _, a := range f.Arguments {
				s.Members = append(s.Members, ShapeMember{Name: f.Name + "(" + a.Name + ")", Type: a.Type.String(), Required: needed(a)})
			}
		}
		for _, v := range d.EnumValues {
			s.Values = append(s.Values, v.Name)
		}
		c.Shapes = append(c.Shapes, s)
	}
	return nil
}

func rootField(root string, f *ast.FieldDefinition) Operation {
	o := Operation{Key: root + " " + f.Name, GraphQL: f.Name, Answer: []Member{{Name: "answer", Type: strings.TrimSuffix(f.Type.String(), "!"), Nullable: !f.Type.NonNull}}}
	for _, a := range f.Arguments {
		o.Input = append(o.Input, Field{Name: a.Name, Shown: &Shown{GraphQL: []string{a.Name}, Kind: strings.TrimSuffix(a.Type.String(), "!"), Required: needed(a)}})
	}
	return o
}

// needed reports whether a caller has to name the argument.
func needed(a *ast.ArgumentDefinition) bool { return a.Type.NonNull && a.DefaultValue == nil }
